// Plays searches back.  Each section.trace holds its playback as JSON (grader/kinds/playback.py);
// what stands at a step is worked out anew from the first, and only what is unfolded is drawn.

const [PARENT, LABEL, MOVER, CELLS] = [0, 1, 2, 3]; // of a node
const [WHAT, NODE, WORDS, SHOWN] = [0, 1, 2, 3]; // of a step
const [WIDE_TREE, LEAF] = [900, 60]; // pixels: two trees wider than this stand below each other; and what a leaf takes
const MOST_UNFOLDED = 60; // a tree of so many nodes is drawn as a whole
const PACE = 700; // milliseconds
const LEGEND =
  "While its call is open, a node shows alpha … beta at this moment, such as 3 … INF; … alone is a full window. Then it shows \
the score that the call returned. In a rounded box, MIN is to move. The search has not reached the dotted boxes.";
const IN_STEP =
  "Both searches advance together as long as they do the same. Where they differ, one waits until the other comes to the same \
node.";
const KEYS = "Keys: left and right arrow, Home, End, P to play";
const SVG = "http://www.w3.org/2000/svg";

function draw(tag, attributes, text = "") {
  const element = document.createElementNS(SVG, tag);
  for (const name in attributes) element.setAttribute(name, attributes[name]);
  element.textContent = text;
  return element;
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);

class Player {
  constructor(section) {
    Object.assign(this, JSON.parse(section.querySelector("script").textContent));
    this.section = section;
    this.children = this.nodes.map(() => []);
    this.nodes.forEach((node, number) => node[PARENT] >= 0 && this.children[node[PARENT]].push(number));
    this.size = this.layout ? { wide: 84, high: 172, board: 70 } : { wide: 80, high: 92, board: 0 };
    this.folded = new Map(); // what somebody has folded or unfolded
    this.build();
    this.go(this.isPlaced() ? this.marked : 0);
  }

  // Whether the mark is at a node, and so at a moment.
  isPlaced() {
    return Boolean(this.mark) && this.mark[0] >= 0;
  }

  build() {
    this.panes = this.sides.map(([name]) => {
      const pane = make("figure", "pane");
      pane.tree = make("div", "tree");
      pane.caption = make("figcaption", "", capital(name));
      pane.append(pane.caption, pane.tree);
      return pane;
    });
    const panes = (this.grid = make("div", "panes"));
    panes.append(...this.panes);
    this.slider = Object.assign(make("input", "slider"), { type: "range", min: 0, max: this.rows.length - 1, value: 0 });
    this.slider.setAttribute("aria-label", "Step");
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    const last = this.rows.length - 1;
    const controls = [
      ["First", "Home", () => this.go(0)],
      ["Back", "ArrowLeft", () => this.go(this.row - 1)],
      ["Play", "p", () => this.play(last)],
      ["Next", "ArrowRight", () => this.go(this.row + 1)],
      ["Last", "End", () => this.go(last)],
    ];
    if (this.isPlaced()) controls.push(["To the mistake", "m", () => this.go(this.marked)]);
    const buttons = make("div", "buttons");
    for (const [name, key, act] of controls) {
      const button = Object.assign(make("button", "", name), { type: "button" });
      button.addEventListener("click", () => (name === "Play" || this.stop(), act()));
      buttons.append(button);
      this.section.addEventListener("keydown", (event) => {
        if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || event.target === this.slider) return;
        event.preventDefault();
        button.click();
      });
      if (name === "Play") this.player = button;
    }
    this.said = make("p", "said");
    this.said.setAttribute("role", "status");
    const legend = [LEGEND, this.panes.length > 1 && IN_STEP, `${KEYS}${this.isPlaced() ? ", M to the mistake." : "."}`];
    this.section.append(this.slider, buttons, this.said, panes);
    this.section.append(...legend.filter(Boolean).map((text) => make("p", "quiet", text)));
  }

  play(last) {
    if (this.timer) return this.stop();
    if (this.row === last) this.go(0);
    this.timer = setInterval(() => (this.row < last ? this.go(this.row + 1) : this.stop()), PACE);
    this.player.textContent = "Pause";
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.player.textContent = "Play";
  }

  go(row) {
    this.row = Math.max(0, Math.min(this.rows.length - 1, row));
    this.slider.value = this.row;
    const before = this.rows[this.row - 1] ?? this.rows[0];
    const said = this.rows[this.row].map((done, side) => {
      const [name, steps] = this.sides[side];
      const moved = done > before[side];
      const waits = this.row > 0 && !moved;
      this.panes[side].classList.toggle("waits", waits);
      const pause = done === steps.length ? "at its end" : "waits";
      this.panes[side].caption.textContent = waits ? `${capital(name)} (${pause})` : capital(name);
      return moved ? steps[done - 1][WORDS] : "";
    });
    const named = said.map((words, side) => words && `${capital(this.sides[side][0])}: ${words}`).filter(Boolean);
    const all = new Set(said).size > 1 ? named : said.slice(0, 1);
    const isMistake = this.isPlaced() && this.row === this.marked;
    const step = `Step ${this.row} of ${this.rows.length - 1}${isMistake ? ", the mistake" : ""}.`;
    this.said.textContent = [step, ...all].join(" ");
    this.slider.setAttribute("aria-valuetext", `${this.row} of ${this.rows.length - 1}`);
    this.panes.forEach((pane, side) => this.show(pane, this.sides[side][1].slice(0, this.rows[this.row][side])));
  }

  // What is at each node after these steps: its text, whether its call is open, and what was left out.
  after(steps) {
    const [shown, open, out] = [new Map(), new Set(), new Set()];
    for (const [what, node, , text, above] of steps) {
      if (what !== "expanded" || !shown.has(node)) shown.set(node, text);
      if (above) shown.set(this.nodes[node][PARENT], above);
      if (what === "called") open.add(node);
      if (what === "returned") {
        open.delete(node);
        for (const child of this.children[node] ?? []) if (!shown.has(child)) out.add(child);
      }
    }
    for (const node of shown.keys()) out.delete(node);
    return { shown, open, out, now: steps.at(-1)?.[NODE] ?? -1 };
  }

  show(pane, steps) {
    const state = this.after(steps);
    const way = new Set();
    for (const end of [state.now, this.mark?.[0] ?? 0]) {
      for (let node = end; node >= 0; node = this.nodes[node][PARENT]) way.add(node);
    }
    const isOpen = (node) => this.folded.get(node) ?? (this.nodes.length <= MOST_UNFOLDED || way.has(node));
    const { high, board } = this.size;
    const wideAt = (node) => (this.children[node].length || board ? this.size.wide : LEAF);
    const [places, lines, figures, boards] = [new Map(), [], [], []];
    const free = []; // at each depth, where the next node can begin
    const place = (node, depth) => {
      const wide = wideAt(node);
      const at = { x: 0, y: 32 + depth * high, below: [], wide };
      if (isOpen(node)) at.below = this.children[node].map((child) => place(child, depth + 1));
      const middle = at.below.length ? (at.below[0].x + at.below.at(-1).x) / 2 : 0;
      const left = (free[depth] ?? 0) + wide / 2;
      if (at.below.length && middle < left) at.below.forEach((child) => shift(child, left - middle, depth + 1));
      at.x = Math.max(middle, left);
      free[depth] = at.x + wide / 2;
      places.set(node, at);
      return at;
    };
    const shift = (at, by, depth) => {
      at.x += by;
      free[depth] = Math.max(free[depth], at.x + at.wide / 2);
      at.below.forEach((child) => shift(child, by, depth + 1));
    };
    place(0, 0);
    const width = Math.max(...free);
    if (width > WIDE_TREE) this.grid.classList.add("below"); // and stays so, whatever is folded
    const height = Math.max(...[...places.values()].map(({ y }) => y)) + 56 + board;
    for (const [node, { x, y, wide }] of [...places].sort(([one], [other]) => one - other)) {
      const [parent, label, mover, cells] = this.nodes[node];
      const kind = node === state.now ? "now" : state.open.has(node) ? "open" : state.shown.has(node) ? "done" : "idle";
      const names = ["node", mover, kind, state.out.has(node) && "out", node === this.mark?.[0] && "mark"].filter(Boolean);
      if (places.has(parent)) {
        const from = places.get(parent);
        const path = `M${from.x} ${from.y + 38 + board} L${x} ${y - 13}`;
        lines.push(draw("path", { d: path, class: state.out.has(node) ? "edge out" : "edge" }));
      }
      const group = draw("g", { class: names.join(" "), transform: `translate(${x} ${y})`, "data-node": node });
      const name = `${mover} ${board ? label.split(" ").at(-1) : label}`.trim();
      const text = state.shown.get(node) ?? (state.out.has(node) ? "skipped" : "");
      const squeezed = text.length > wide / 8 ? { textLength: wide - 14, lengthAdjust: "spacingAndGlyphs" } : {};
      group.append(
        draw("rect", { x: 4 - wide / 2, y: -14, width: wide - 8, height: 52 + board, rx: mover === "MIN" ? 18 : 4 }),
        draw("text", { y: 3, class: "name" }, name.length > wide / 7 ? `${name.slice(0, Math.floor(wide / 7) - 1)}…` : name),
        draw("text", { y: 25 + board, class: text.length > wide / 10 ? "text long" : "text", ...squeezed }, text),
        draw("title", {}, `${mover} ${label}: ${text || "nothing yet"}`),
      );
      if (node === this.mark?.[0]) group.append(draw("text", { y: -18, class: "here" }, "▼ here"));
      if (this.children[node].length) this.addFold(group, node, isOpen(node), 38 + board);
      figures.push(group);
      if (cells) boards.push(this.picture(node, this.nodes[parent]?.[CELLS], x, y + 10));
    }
    const svg = draw("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group" });
    svg.setAttribute("aria-label", "Tree; the sentence of each step says what happens in it");
    if (!board) svg.style.width = `max(${0.65 * width}px, min(100%, ${width}px))`;
    svg.append(...lines, ...figures);
    pane.tree.replaceChildren(svg, ...boards);
    const here = places.get(this.isPlaced() && this.row === this.marked ? this.mark[0] : state.now) ?? places.get(0);
    pane.tree.scrollLeft = (here.x / width) * pane.tree.scrollWidth - pane.tree.clientWidth / 2;
    pane.tree.scrollTop = (here.y / height) * pane.tree.scrollHeight - pane.tree.clientHeight / 2;
  }

  addFold(group, node, isOpen, y) {
    const knob = draw("g", { class: "fold", transform: `translate(0 ${y})`, role: "button", tabindex: 0 });
    const label = `${isOpen ? "Fold" : "Unfold"} ${this.nodes[node][LABEL]}`;
    knob.setAttribute("aria-label", label);
    knob.setAttribute("aria-expanded", isOpen);
    knob.append(draw("circle", { r: 8 }), draw("text", { y: 4 }, isOpen ? "−" : "+"));
    const toggle = (event) => {
      if (event.key && event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      const pane = this.panes.find((one) => one.contains(knob));
      this.folded.set(node, !isOpen);
      this.go(this.row);
      pane.querySelector(`[data-node="${node}"] .fold`)?.focus();
    };
    for (const kind of ["click", "keydown"]) knob.addEventListener(kind, toggle);
    group.append(knob);
  }

  picture(node, before, x, y) {
    const [cells, winning] = [this.nodes[node][CELLS], this.winning[node]];
    const board = make("div", "board small");
    board.setAttribute("aria-hidden", true);
    Object.assign(board.style, { left: `${x - this.size.board / 2}px`, top: `${y}px`, width: `${this.size.board}px` });
    const spans = layOut(board, { layout: this.layout, columns: this.columns, cells });
    spans.forEach((span, n) => {
      fill(span, cells[n], before && before[n] !== cells[n] && "last", winning.includes(n) && "winning");
    });
    return board;
  }
}

const players = [...document.querySelectorAll("section.trace")].map((section) => new Player(section));
if (players.length === 1) {
  document.addEventListener("keydown", (event) => {
    if (event.target === document.body) players[0].section.dispatchEvent(new KeyboardEvent("keydown", event));
  });
}
