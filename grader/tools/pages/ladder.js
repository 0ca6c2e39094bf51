// Replays games of Connect Four.  Each details.replay holds its game as JSON (grader/tools/ladder/replays.py),
// and is drawn when somebody unfolds it.

const [COLUMN, WORTH, EVALUATIONS, DEPTH] = [0, 1, 2, 3]; // of a move
const COLUMNS = 7;
const SURE = 1000; // a score of so much is a win for certain
const PIECES_OF = ["1", "2"]; // of the player that moves first, and of the other
const NAMES_OF = ["one", "two"];

const inWords = (number) => Number(number).toLocaleString("en");

// The cells after a piece of this sort was dropped into a column, and the cell where it lies.
function drop(cells, column, piece) {
  let cell = cells.length - COLUMNS + column;
  while (cells[cell] !== ".") cell -= COLUMNS;
  return [cells.slice(0, cell) + piece + cells.slice(cell + 1), cell];
}

function worthInWords(worth) {
  if (worth === null) return "";
  if (worth >= SURE) return "a sure win";
  if (worth <= -SURE) return "a sure loss";
  return inWords(Math.round(worth));
}

class Replay {
  constructor(details) {
    Object.assign(this, JSON.parse(details.querySelector("script").textContent));
    this.positions = [[this.cells, -1]];
    this.moves.forEach((move, number) => {
      this.positions.push(drop(this.positions[number][0], move[COLUMN], PIECES_OF[number % 2]));
    });
    this.last = this.moves.length;
    details.append(this.build());
    details.addEventListener("keydown", (event) => this.press(event));
    this.go(0);
  }

  build() {
    const board = make("div", "board");
    board.setAttribute("role", "img");
    this.board = board;
    this.spans = layOut(board, { layout: "columns", columns: COLUMNS, cells: this.cells });
    this.slider = Object.assign(make("input", "slider"), { type: "range", min: 0, max: this.last, value: 0 });
    this.slider.setAttribute("aria-label", "Move");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const buttons = make("div", "buttons");
    const controls = { First: () => 0, Back: () => this.at - 1, Next: () => this.at + 1, Last: () => this.last };
    for (const name in controls) {
      const button = Object.assign(make("button", "", name), { type: "button" });
      button.addEventListener("click", () => this.go(controls[name]()));
      buttons.append(button);
    }
    this.said = make("p", "said");
    this.said.setAttribute("role", "status");
    const left = make("div");
    left.append(board, this.slider, buttons, this.said, make("p", "quiet", "Keys: left and right arrow, Home, End."));
    const game = make("div", "game");
    game.append(left, this.table());
    return game;
  }

  table() {
    const table = make("table");
    const head = make("tr");
    for (const name of ["Move", "Column", "Worth", "Evaluations", "Depth"]) {
      const cell = make("th", "", name);
      cell.scope = "col";
      head.append(cell);
    }
    const body = make("tbody");
    this.rows = this.moves.map((move, number) => {
      const row = make("tr");
      const first = make("td");
      first.append(make("span", `cell ${NAMES_OF[number % 2]}`), String(number + 1));
      // A rung that does not search has no depth.
      const work = move[DEPTH] ? [inWords(move[EVALUATIONS]), String(move[DEPTH])] : ["", ""];
      const texts = [String(move[COLUMN]), worthInWords(move[WORTH]), ...work];
      row.append(first, ...texts.map((text) => make("td", "", text)));
      row.addEventListener("click", () => this.go(number + 1));
      return row;
    });
    body.append(...this.rows);
    const top = make("thead");
    top.append(head);
    table.append(top, body);
    const moves = make("div", "moves");
    moves.append(table);
    return moves;
  }

  press(event) {
    const keys = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last };
    if (!(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey || event.target === this.slider) return;
    event.preventDefault();
    this.go(keys[event.key]);
  }

  go(number) {
    this.at = Math.max(0, Math.min(this.last, number));
    const [cells, last] = this.positions[this.at];
    const isOver = this.at === this.last;
    this.spans.forEach((span, cell) => {
      fill(span, cells[cell], cell === last && "last", isOver && this.winning.includes(cell) && "winning");
    });
    this.slider.value = this.at;
    this.rows.forEach((row, index) => row.classList.toggle("now", index === this.at - 1));
    const said = this.words();
    this.said.textContent = isOver ? `${said} ${this.ended}` : said;
    this.slider.setAttribute("aria-valuetext", said);
    this.board.setAttribute("aria-label", this.boardInWords(cells));
  }

  words() {
    if (!this.at) return `The opening. ${this.names[0]} moves first, and ${this.names[1]} second.`;
    const [column, worth, evaluations, depth] = this.moves[this.at - 1];
    const name = this.names[(this.at - 1) % 2];
    const worthIt = worth === null ? "" : ` It scored the position ${worthInWords(worth)}`;
    const work = depth ? ` after ${inWords(evaluations)} evaluations, at depth ${depth}` : "";
    return `Move ${this.at} of ${this.last}: ${name} plays column ${column}.${worthIt}${work}${worthIt ? "." : ""}`;
  }

  boardInWords(cells) {
    const rows = cells.match(/.{7}/g).map((row) => row.replaceAll(".", "empty ").replaceAll("1", "one ").replaceAll("2", "two "));
    return `Board, row by row from the top: ${rows.join("; ")}`;
  }
}

const replays = [...document.querySelectorAll("details.replay")];
for (const details of replays) {
  const draw = () => details.open && !details.drawn && (details.drawn = new Replay(details));
  details.addEventListener("toggle", draw);
}
// The first game to read is the last one that was lost against the opponent that was met last.
const lost = document.querySelectorAll("section:first-of-type [data-points='0']");
const first = [...lost].at(-1) ?? replays[0];
if (first) first.open = true;
