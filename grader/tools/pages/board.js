// The page keeps the whole game: its name, the board at the beginning, and the moves.  It sends all of them to the
// server each time, and the server says what to show.  So two pages never get in each other's way.

const $ = (id) => document.getElementById(id);
const boards = JSON.parse(document.querySelector("main script").textContent); // what each named board shows
const PATIENCE = 10000; // milliseconds for the rules of a game; a player may think until somebody stops it

const table = { game: "connect_four", board: "", moves: [] };
let side = "Maxie"; // the person's
let view = null; // what the server says about the game; null until it has answered
let thinking = null; // the AbortController of the current search
let best = null; // the move that it would make now
let spans = []; // the cells on the page, row by row

const opponent = () => $("opponent").selectedOptions[0];
const isForTwo = () => opponent().value === "human";
const canHint = () => !["human", "random"].includes(opponent().value);
const isMyTurn = () => Boolean(view && !view.over && (view.turn === side || isForTwo()));
const isClosed = (move) => Boolean(thinking) || !isMyTurn() || !(move in view.moves);

// --- asking the server -------------------------------------------------------------------------

// The lines of the answer: what the position shows, and what a player thinks, if the body names one.
async function* ask(body, signal) {
  const response = await fetch("/", { method: "POST", body: JSON.stringify(body), signal });
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const whole = (rest + part.value).split("\n");
    rest = whole.pop();
    for (const line of whole.map((text) => JSON.parse(text))) {
      if (line.failed) throw new Error(line.failed);
      yield line;
    }
  }
}

// --- the course of a game ----------------------------------------------------------------------

async function show(moves, board = table.board) {
  for await (const line of ask({ ...table, board, moves }, AbortSignal.timeout(PATIENCE))) view = line.shown;
  Object.assign(table, { board, moves });
  draw();
}

function forget() {
  thinking?.abort();
  [thinking, best] = [null, null];
}

async function begin(board = table.board) {
  forget();
  clearThoughts();
  await show([], board);
  tell("says", boards[board] ?? "");
  await letOpponentMove();
}

async function play(move) {
  if (thinking || !isMyTurn()) return;
  if (!(move in view.moves)) return tell("status", "That is not a legal move. Choose another.");
  forget();
  await show([...table.moves, move]);
  await letOpponentMove();
}

async function letOpponentMove() {
  if (!view || view.over || isMyTurn()) return;
  const move = await think();
  if (move) await show([...table.moves, move]);
}

async function hint() {
  const move = await think();
  if (move) tell("status", `${isMyTurn() ? "In your place it" : "It"} would choose ${view.moves[move]}.`);
}

// Ends a search; the opponent then makes the best move that it has found.
async function stop() {
  const move = isMyTurn() ? null : best;
  forget();
  await show(move ? [...table.moves, move] : table.moves);
  if (!move) tell("status", "Stopped. Undo, or choose another opponent.");
}

async function undo() {
  forget();
  do await show(table.moves.slice(0, -1));
  while (table.moves.length && !isMyTurn());
  await letOpponentMove();
}

async function switchSides() {
  forget();
  side = side === "Maxie" ? "Minnie" : "Maxie";
  draw();
  await letOpponentMove();
}

// The move that the opponent finds, also for the person; null if somebody stopped it.
async function think() {
  forget();
  clearThoughts();
  const mine = (thinking = new AbortController());
  let move = null;
  draw();
  try {
    for await (const line of ask({ ...table, player: opponent().value }, mine.signal)) {
      if (line.depth) drawThought(line);
      move = line.move ?? null;
    }
  } catch (error) {
    if (error.name === "AbortError") return null;
    forget();
    draw();
    throw error;
  }
  thinking = null;
  draw();
  return move;
}

// --- drawing -----------------------------------------------------------------------------------

const OWNERS = { 1: "Maxie", 2: "Minnie", X: "X", O: "O" };
const SIDES = { columns: { Maxie: "one", Minnie: "two" }, squares: { Maxie: "cross", Minnie: "nought" }, row: {} };
const KEYS = {
  columns: "0 to 6 drop a piece.",
  squares: "1 to 9 take a square.",
  row: "A digit takes that many.",
};

function tell(id, text) {
  if ($(id).textContent !== text) $(id).textContent = text; // a screen reader speaks what changes
  $(id).hidden = !text;
}

function draw() {
  if (!view) return;
  drawPlayers();
  drawBoard();
  tell("status", status());
  tell("keys", `${KEYS[view.layout]} U undoes, H asks for a hint.`);
  $("status").classList.toggle("busy", Boolean(thinking));
  const off = {
    undo: !table.moves.length,
    hint: thinking || view.over || !canHint(),
    stop: !thinking,
    switch: isForTwo(),
  };
  for (const id in off) $(id).setAttribute("aria-disabled", Boolean(off[id]));
  tell("rules", view.rules);
  tell("left", view.layout === "row" ? left() : "");
  drawMoves();
}

function status() {
  if (view.over) return `${view.said} ${view.over}`;
  if (thinking) return `${view.said} Thinking`;
  return `${view.said} ${isMyTurn() && !isForTwo() ? "Your turn." : `${view.turn} is to move.`}`;
}

const left = () => `${view.cells.replaceAll(".", "").length} of ${view.cells.length} are left.`;

// The buttons of a row: one for each move that there has been.  They stay, and so does the focus.
function drawMoves() {
  const moves = $("moves");
  moves.hidden = view.layout !== "row";
  for (const move of moves.hidden ? [] : Object.keys(view.moves)) {
    if ([...moves.children].some((button) => button.dataset.move === move)) continue;
    const button = make("button", "", view.moves[move].replace(/^t/, "T"));
    button.type = "button";
    button.dataset.move = move;
    const next = [...moves.children].find((other) => Number(other.dataset.move) > Number(move));
    moves.insertBefore(button, next ?? null);
  }
  for (const button of moves.children) button.setAttribute("aria-disabled", isClosed(button.dataset.move));
}

function drawPlayers() {
  const items = ["Maxie", "Minnie"].map((name, number) => {
    const item = make("li", !view.over && view.turn === name ? "to-move" : "");
    const piece = SIDES[view.layout][name];
    if (piece) item.append(make("span", `cell ${piece}`));
    const who = isForTwo() ? name : name === side ? `${name} (you)` : `${name} (${opponent().text})`;
    item.append(view.pieces[number] ? `${who}: ${view.pieces[number]}` : who);
    return item;
  });
  $("players").replaceChildren(...items);
}

// Made once for a kind of board: the buttons stay, and so does the focus.
function buildBoard() {
  const { layout, columns, cells } = view;
  spans = layOut($("board"), view);
  if (layout === "row") return;
  const buttons = Array.from({ length: layout === "columns" ? columns : cells.length }, (_, move) => {
    const button = make("button");
    button.type = "button";
    button.dataset.move = move;
    button.append(...spans.filter((_, cell) => (layout === "columns" ? cell % columns : cell) === move));
    if (layout === "columns") button.append(make("span", "digit", move));
    return button;
  });
  $("board").replaceChildren(...buttons);
}

function drawBoard() {
  const board = $("board");
  if (board.dataset.layout !== view.layout) buildBoard();
  board.setAttribute("aria-label", view.layout === "row" ? left() : "Board");
  spans.forEach((span, cell) => {
    fill(span, view.cells[cell], view.last.includes(cell) && "last", view.winning.includes(cell) && "winning");
  });
  for (const button of board.querySelectorAll("button")) {
    button.setAttribute("aria-label", label(Number(button.dataset.move)));
    button.setAttribute("aria-disabled", isClosed(button.dataset.move));
  }
}

function label(move) {
  const [row, column] = [Math.floor(move / 3) + 1, (move % 3) + 1];
  const named = (cell) => `${OWNERS[view.cells[cell]]}${view.winning.includes(cell) ? " (wins)" : ""}`;
  if (view.layout === "squares") {
    return `Row ${row}, column ${column}: ${view.cells[move] === "." ? "empty" : named(move)}`;
  }
  const cells = [...view.cells].map((_, cell) => cell).reverse();
  const names = cells.filter((cell) => cell % view.columns === move && view.cells[cell] !== ".").map(named);
  return `Column ${move}: ${names.length ? `from below ${names.join(", ")}` : "empty"}`;
}

function clearThoughts() {
  $("thoughts").replaceChildren();
  tell("line", "");
}

function drawThought({ depth, score, evaluations, words, line }) {
  const row = make("tr");
  row.append(...[depth, score, Number(evaluations).toLocaleString("en")].map((text) => make("td", "", text)));
  $("thoughts").append(row);
  best = line[0];
  tell("line", `It expects: ${words.map((move, index) => `${index + 1}.\u00a0${move}`).join(", ")}.`);
}

// --- what a person does ------------------------------------------------------------------------

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select") || !view) return;
  const shortcut = { u: "undo", h: "hint" }[event.key.toLowerCase()];
  if (shortcut) $(shortcut).click();
  const buttons = document.querySelectorAll("#board button, #moves:not([hidden]) button");
  if (!/^[0-9]$/.test(event.key)) return;
  const digit = view.layout === "squares" ? String(event.key - 1) : event.key;
  [...buttons].find((button) => button.dataset.move === digit)?.click();
}

async function attempt(action) {
  try {
    tell("error", "");
    await action();
  } catch (error) {
    const TOLD = { TimeoutError: "Your part 1 takes longer than 10 seconds on this board.", TypeError: "The server does not answer. Has it ended?" };
    tell("error", TOLD[error.name] ?? error.message);
    if (!view) tell("status", "");
  }
}

async function chooseGame() {
  table.game = $("game").value;
  view = null;
  delete $("board").dataset.layout;
  for (const id of ["board", "moves", "players"]) $(id).replaceChildren();
  for (const id of ["rules", "left"]) tell(id, "");
  tell("status", "One moment…");
  for (const element of document.querySelectorAll(".for-boards")) element.hidden = table.game !== "connect_four";
  $("named").value = "";
  await begin("");
}

async function chooseOpponent() {
  forget();
  draw();
  await letOpponentMove();
}

const actions = { undo, hint, stop, switch: switchSides, new: () => begin() };
document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.move) attempt(() => play(button.dataset.move));
  else if (button?.id in actions && button.ariaDisabled !== "true") attempt(actions[button.id]);
});
document.addEventListener("keydown", press);
const chosen = { game: chooseGame, opponent: chooseOpponent, named: () => begin($("named").value) };
for (const id in chosen) $(id).addEventListener("change", () => attempt(chosen[id]));
$("named").append(...Object.keys(boards).map((name) => new Option(name)));
attempt(chooseGame);
