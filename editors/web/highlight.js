// Colours by the server's semantic tokens, and its inlay hints, as decorations that move with the text until newer ones come.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";

class Hint extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }
  eq(other) {
    return other.text === this.text;
  }
  toDOM() {
    const element = document.createElement("span");
    element.className = "inlay";
    element.setAttribute("aria-hidden", "true");
    element.textContent = this.text;
    return element;
  }
  ignoreEvent() {
    return true;
  }
}

const decorations = () => {
  const set = StateEffect.define();
  const field = StateField.define({
    create: () => Decoration.none,
    update: (value, transaction) => {
      value = value.map(transaction.changes);
      for (const effect of transaction.effects) if (effect.is(set)) value = effect.value;
      return value;
    },
    provide: (self) => EditorView.decorations.from(self),
  });
  return { set, field };
};
const colours = decorations(), hints = decorations();
export const highlighting = [colours.field, hints.field];

const marks = new Map();
const mark = (name) => {
  if (!marks.has(name)) marks.set(name, Decoration.mark({ class: name }));
  return marks.get(name);
};

/** The effect that shows tokens, five numbers each: lines on, characters on, length, type, modifiers. */
export const tokensEffect = (doc, legend, data) => {
  const ranges = [];
  let line = 0, character = 0;
  for (let i = 0; i + 4 < data.length; i += 5) {
    line += data[i];
    character = data[i] ? data[i + 1] : character + data[i + 1];
    if (line >= doc.lines) break;
    const from = doc.line(line + 1).from + character;
    const to = Math.min(from + data[i + 2], doc.length);
    const said = legend.tokenModifiers.filter((_, bit) => data[i + 4] & (1 << bit)).map((name) => ` tok-${name}`);
    if (to > from) ranges.push(mark(`tok-${legend.tokenTypes[data[i + 3]]}${said.join("")}`).range(from, to));
  }
  return colours.set.of(Decoration.set(ranges, true));
};

export const hintsEffect = (doc, list) => {
  const ranges = [];
  for (const { position, label } of list) {
    if (position.line >= doc.lines) continue;
    const line = doc.line(position.line + 1);
    const text = typeof label === "string" ? label : label.map(({ value }) => value).join("");
    ranges.push(Decoration.widget({ widget: new Hint(text), side: 1 }).range(Math.min(line.from + position.character, line.to)));
  }
  return hints.set.of(Decoration.set(ranges, true));
};
