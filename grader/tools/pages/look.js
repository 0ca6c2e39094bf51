"use strict";

// What the pages have in common: a board is drawn here, for play and for a trace.

const PIECES = { 1: "one", 2: "two", X: "cross", O: "nought", o: "counter" };

function make(tag, className = "", text = "") {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  return element;
}

// Lays out a board, row by row from the top; gives its cells, in which nothing stands yet.
function layOut(board, { layout, columns, cells }) {
  board.dataset.layout = layout;
  board.style.setProperty("--columns", columns);
  const spans = [...cells].map(() => make("span", "cell"));
  board.replaceChildren(...spans);
  return spans;
}

// Shows in a cell the piece that stands there, with what is special about it.
function fill(cell, piece, ...marks) {
  const names = ["cell", PIECES[piece], ...marks].filter(Boolean).join(" ");
  if (cell.className !== names) cell.className = names;
}
