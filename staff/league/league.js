// Replays the games of a league.  The page holds all of them as JSON (page.py); the table stands in the page itself.

const $ = (id) => document.getElementById(id);
const { players, games } = JSON.parse(document.querySelector("main script").textContent);
const [ROWS, COLUMNS] = [6, 7];
const SIDES = ["one", "two"]; // the pieces of the player who moves first, and of the other
const WORTH = { W: "wins", D: "draws", L: "loses" };
const PACE = 700; // milliseconds
const state = { game: 0, step: 0, timer: null };

const sides = (game) => [game.first, game.second].map((number) => players[number][0]);
const isRung = (game, side) => players[[game.first, game.second][side]][1];
const winner = (game) => (game.winner ? sides(game)[game.winner - 1] : "");
const result = (game) => (game.winner ? `${winner(game)} wins` : "a draw");
const capital = (text) => text[0].toUpperCase() + text.slice(1);

// --- the games of a player -------------------------------------------------------------------------

function listGames(player) {
  const own = games.map((game, number) => [game, number]).filter(([game]) => [game.first, game.second].includes(player));
  const items = own.map(([game, number]) => {
    const [first, second] = sides(game);
    const button = make("button", "", `Round ${game.round}: ${first} – ${second}, ${result(game)}`);
    button.type = "button";
    button.dataset.game = number;
    const item = make("li");
    item.append(button);
    return item;
  });
  $("games").replaceChildren(...items);
  $("player").value = player;
  for (const button of document.querySelectorAll(".standings button")) {
    button.closest("tr").classList.toggle("chosen", Number(button.dataset.player) === player);
  }
}

function choose(number) {
  stop();
  Object.assign(state, { game: number, step: 0 });
  const game = games[number];
  if (![game.first, game.second].includes(Number($("player").value))) listGames(game.first);
  for (const button of $("games").querySelectorAll("button")) {
    button.setAttribute("aria-pressed", Number(button.dataset.game) === number);
  }
  $("slider").max = game.columns.length;
  state.cells = layOut($("board"), { layout: "columns", columns: COLUMNS, cells: ".".repeat(ROWS * COLUMNS) });
  const items = sides(game).map((name, side) => {
    const item = make("li");
    item.append(make("span", `cell ${SIDES[side]}`), name);
    return item;
  });
  $("sides").replaceChildren(...items);
  history.replaceState(null, "", `#game-${number + 1}`);
  go(game.opening);
}

// --- a game ------------------------------------------------------------------------------------------

// The cells after so many moves, row by row from the top, and the cell of the last move.
function after(columns) {
  const cells = Array(ROWS * COLUMNS).fill(".");
  let last = -1;
  [...columns].forEach((column, move) => {
    for (let row = ROWS - 1; row >= 0; row--) {
      last = row * COLUMNS + Number(column);
      if (cells[last] !== ".") continue;
      cells[last] = String((move % 2) + 1);
      break;
    }
  });
  return { cells, last };
}

function go(step) {
  const game = games[state.game];
  const end = game.columns.length;
  state.step = Math.max(0, Math.min(end, step));
  const { cells, last } = after(game.columns.slice(0, state.step));
  const won = state.step === end ? game.four : [];
  state.cells.forEach((cell, place) => {
    fill(cell, cells[place], place === last && "last", won.includes(place) && "winning");
  });
  $("slider").value = state.step;
  $("slider").setAttribute("aria-valuetext", `${state.step} of ${end} moves`);
  $("said").textContent = said(game, state.step);
  $("thought").textContent = thought(game, state.step);
}

function said(game, step) {
  const end = game.columns.length;
  const parts = [`Move ${step} of ${end}.`];
  if (step > 0) {
    const who = sides(game)[(step - 1) % 2];
    parts.push(step <= game.opening ? `The opening puts a piece into column ${game.columns[step - 1]}.`
      : `${who} plays column ${game.columns[step - 1]}.`);
  }
  if (step === end) parts.push(`${capital(result(game))}${game.why ? `: ${game.why}` : ""}.`);
  return parts.join(" ");
}

function thought(game, step) {
  const move = game.moves[step - 1 - game.opening];
  if (!move) return "";
  const [worth, evaluations, depth, values] = move;
  const side = (step - 1) % 2;
  const counted = isRung(game, side) ? "playouts" : "evaluations";
  const parts = [];
  if (depth) parts.push(`depth ${depth}`);
  if (evaluations) parts.push(`${evaluations.toLocaleString("en")} ${counted}`);
  if (worth !== null) parts.push(`worth ${worth} to ${sides(game)[side]}`);
  const own = parts.length ? [`${capital(parts.join(", "))}.`] : [];
  if (values) {
    const [best, real] = values;
    own.push(best === real ? `In fact it ${WORTH[real]}.` : `In fact it ${WORTH[real]}, and the best move ${WORTH[best]}.`);
  }
  return own.join(" ");
}

function stop() {
  clearInterval(state.timer);
  state.timer = null;
  $("play").textContent = "Play";
}

function play() {
  if (state.timer) return stop();
  const end = games[state.game].columns.length;
  if (state.step === end) go(0);
  state.timer = setInterval(() => (state.step < end ? go(state.step + 1) : stop()), PACE);
  $("play").textContent = "Pause";
}

// --- what a person does --------------------------------------------------------------------------------

const actions = {
  first: () => go(0),
  back: () => go(state.step - 1),
  play,
  next: () => go(state.step + 1),
  last: () => go(games[state.game].columns.length),
};
const KEYS = { Home: "first", ArrowLeft: "back", p: "play", ArrowRight: "next", End: "last" };

function press(event) {
  const action = KEYS[event.key];
  if (!action || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input")) return;
  event.preventDefault();
  act(action);
}

function act(action) {
  if (action !== "play") stop();
  actions[action]();
}

function show(player) {
  listGames(player);
  const number = games.findIndex((game) => [game.first, game.second].includes(player));
  if (number >= 0) choose(number);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  if (button.dataset.game) choose(Number(button.dataset.game));
  else if (button.dataset.player) {
    show(Number(button.dataset.player));
    if ($("replay").getBoundingClientRect().top > innerHeight / 2) $("replay").scrollIntoView();
  } else if (button.id in actions) act(button.id);
});
document.addEventListener("keydown", press);
$("player").addEventListener("change", () => show(Number($("player").value)));
$("slider").addEventListener("input", () => (stop(), go(Number($("slider").value))));
$("player").append(...players.map(([name], number) => new Option(name, number)));
const linked = Number(location.hash.replace("#game-", "")) - 1;
if (games[linked]) choose(linked);
else if (games.length) show(Math.max(0, players.findIndex(([, rung]) => !rung))); // the best player of the class
