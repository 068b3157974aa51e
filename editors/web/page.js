import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentService, indentUnit } from "@codemirror/language";
import { lintGutter, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { formatDocument, formatKeymap, hoverTooltips, LSPClient, LSPPlugin, renameKeymap, serverCompletion, signatureHelp } from "@codemirror/lsp-client";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, showTooltip } from "@codemirror/view";
import examples from "examples.json";

import { fromAddress, toAddress } from "./address.js";
import { highlighting, hintsEffect, tokensEffect } from "./highlight.js";
import { background, connect, harmless } from "./server.js";
import { draw, table } from "./stages.js";

const at = (id) => document.getElementById(id);
const say = (text) => { at("status").textContent = text; };

const worker = window.trlWorker;  // start.js
const failed = (why) => {
  at("verdict").textContent = `The checker could not be started: ${why}. Reload the page; it needs a browser of 2023 or later.`;
  at("verdict").className = "error";
};
const server = connect(worker, failed);
// A plan of a large study takes seconds, in which checking goes on.
const askForPlan = background(failed);

let name = "smallest.trl", current = null, view = null;
let diagnostics = [], actions = [];

const client = new LSPClient({
  timeout: 20000,
  sanitizeHTML: harmless,
  extensions: [{
    clientCapabilities: { textDocument: {
      publishDiagnostics: { versionSupport: true },
      semanticTokens: { requests: { full: true }, tokenTypes: [], tokenModifiers: [], formats: ["relative"] },
      codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ["quickfix", "source.fixAll"] } } },
      inlayHint: {},
    } },
    notificationHandlers: { "textDocument/publishDiagnostics": (_, params) => (published(params), true) },
  }],
});
client.connect(server);

const uri = () => `file:///${name}`;
const request = (method, params = {}) => client.request(method, { textDocument: { uri: uri() }, ...params });
const range = ({ start, end }, doc) => {
  const place = ({ line, character }) => (line < doc.lines ? Math.min(doc.line(line + 1).from + character, doc.line(line + 1).to) : doc.length);
  return { from: place(start), to: place(end) };
};

/** Makes the edits of a code action in the text. */
const make = (action) => {
  const edits = Object.values(action.edit?.changes ?? {}).flat()
    .concat((action.edit?.documentChanges ?? []).flatMap(({ edits }) => edits ?? []));
  const doc = view.state.doc;
  view.dispatch({ changes: edits.map((edit) => ({ ...range(edit.range, doc), insert: edit.newText })), userEvent: "input.fix" });
  say(action.title);
  view.focus();
};

const words = ["", "error", "warning", "info", "info"];
const same = (a, b) => a.code === b.code && a.message === b.message && JSON.stringify(a.range) === JSON.stringify(b.range);

const published = async ({ uri: of, version, diagnostics: found }) => {
  if (of !== uri() || !view) return;
  const plugin = LSPPlugin.get(view);
  const doc = plugin.syncedDoc;
  const file = client.workspace.getFile(of);
  if (version != null && file && version !== file.version) return;
  const whole = { start: { line: 0, character: 0 }, end: { line: doc.lines - 1, character: doc.line(doc.lines).length } };
  const offered = found.length ? (await request("textDocument/codeAction", { range: whole, context: { diagnostics: found } })) ?? [] : [];
  if (view.state.doc !== doc) return;  // newer ones are on their way
  diagnostics = found;
  actions = offered;
  view.dispatch(setDiagnostics(view.state, found.map((item) => ({
    ...range(item.range, doc),
    severity: words[item.severity ?? 1],
    source: item.code,
    message: item.message,
    actions: offered.filter((action) => action.diagnostics?.some((other) => same(other, item)))
      .map((action) => ({ name: action.title, apply: () => make(action) })),
  }))));
  list(doc);
};

const list = (doc) => {
  const items = diagnostics.map((item) => {
    const element = document.createElement("li");
    element.className = words[item.severity ?? 1];
    const place = document.createElement("button");
    place.type = "button";
    place.className = "place";
    place.textContent = `${item.range.start.line + 1}:${item.range.start.character + 1}`;
    place.setAttribute("aria-label", `Go to line ${item.range.start.line + 1}, character ${item.range.start.character + 1}`);
    place.onclick = () => {
      const { from, to } = range(item.range, view.state.doc);
      view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
      view.focus();
    };
    const rule = document.createElement("span");
    rule.className = "rule";
    rule.textContent = `${words[item.severity ?? 1]} ${item.code ?? ""}`;
    const message = document.createElement("p");
    message.textContent = item.message;
    element.append(place, " ", rule, message);
    for (const action of actions.filter((one) => one.diagnostics?.some((other) => same(other, item)))) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = action.title;
      button.onclick = () => make(action);
      element.append(button, " ");
    }
    return element;
  });
  at("list").replaceChildren(...items);
  const all = actions.find(({ kind }) => kind === "source.fixAll.trl");
  at("fix").disabled = !all;
  at("fix").onclick = () => all && make(all);
};

/** What is at the cursor, by the keyboard: the same text as under the pointer. */
const explained = StateEffect.define();
const explanation = StateField.define({
  create: () => null,
  update: (value, transaction) => {
    for (const effect of transaction.effects) if (effect.is(explained)) value = effect.value;
    return transaction.docChanged || (transaction.selection && value) ? null : value;
  },
  provide: (field) => showTooltip.from(field),
});
const explain = (editor) => {
  const plugin = LSPPlugin.get(editor);
  const pos = editor.state.selection.main.head;
  client.sync();
  request("textDocument/hover", { position: plugin.toPosition(pos) }).then((answer) => {
    const html = answer ? plugin.docToHTML(answer.contents) : "";
    say(html ? new DOMParser().parseFromString(html, "text/html").body.textContent : "There is nothing to explain here.");
    if (!html) return;
    editor.dispatch({ effects: explained.of({ pos, above: true, create: () => {
      const dom = document.createElement("div");
      dom.className = "cm-lsp-hover-tooltip cm-lsp-documentation";
      dom.innerHTML = html;
      return { dom };
    } }) });
  });
  return true;
};
const leaveExplanation = (editor) => {
  if (!editor.state.field(explanation)) return false;
  editor.dispatch({ effects: explained.of(null) });
  return true;
};
const fixHere = (editor) => {
  const { from, to } = editor.state.doc.lineAt(editor.state.selection.main.head);
  const action = actions.find((one) => one.diagnostics?.some((item) => {
    const place = range(item.range, editor.state.doc);
    return place.from <= to && place.to >= from;
  }));
  if (action) make(action);
  else say("There is no fix for this line.");
  return true;
};

/** Two blanks for each bracket that is open at a line's beginning. */
const indentation = indentService.of((context, pos) => {
  const before = context.state.doc.sliceString(0, pos);
  let depth = 0, comment = false, quoted = false;
  for (const character of before) {
    if (character === "\n") comment = quoted = false;
    else if (comment) continue;
    else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === "#") comment = true;
    else if ("{[(".includes(character)) ++depth;
    else if ("}])".includes(character)) --depth;
  }
  if (/^\s*[}\])]/.test(context.textAfterPos(pos))) --depth;
  return Math.max(0, depth) * context.unit;
});

let timer = 0, addressTimer = 0, round = 0;
const changed = () => {
  clearTimeout(timer);
  timer = setTimeout(refresh, 60);
  clearTimeout(addressTimer);
  addressTimer = setTimeout(keepAddress, 400);
};

const text = () => view.state.doc.toString();
const address = async () =>
  current?.name && current.text === text() ? `#example=${encodeURIComponent(current.name)}` : await toAddress(name, text());
const keepAddress = async () => history_.replaceState(null, "", await address());
const history_ = window.history;

/** Asks for everything that depends on the text. Answers to an older text are dropped. */
const refresh = async () => {
  const mine = ++round;
  const doc = view.state.doc;
  client.sync();
  const fresh = () => mine === round && view.state.doc === doc;
  const checked = await server.ask("trl/check", { name, text: doc.toString() });
  if (!fresh()) return;
  showVerdict(checked);
  client.initializing.then(async () => {
    const legend = client.serverCapabilities.semanticTokensProvider.legend;
    const tokens = await request("textDocument/semanticTokens/full");
    if (fresh() && tokens) view.dispatch({ effects: tokensEffect(doc, legend, tokens.data) });
    const end = { line: doc.lines, character: 0 };
    const found = await request("textDocument/inlayHint", { range: { start: { line: 0, character: 0 }, end } });
    if (fresh() && found) view.dispatch({ effects: hintsEffect(doc, found) });
  });
  refreshPanel();
};

let firstCheck = true;
const showVerdict = ({ out, err, untried }) => {
  at("untried").hidden = !untried;
  const printed = err + out;
  at("printed").textContent = printed;
  const last = printed.trimEnd().split("\n").at(-1);
  at("verdict").textContent = err ? `${name}: ${last}.` : out.trimEnd();
  at("verdict").className = /error/.test(last) && err ? "error" : err ? "warning" : "fine";
  const number = err ? last.match(/\d+/g)?.reduce((sum, one) => sum + Number(one), 0) : 0;
  at("count").textContent = number ? `(${number})` : "";
  if (!err) {
    diagnostics = [];
    actions = [];
    list(view.state.doc);
  }
  if (firstCheck) performance.mark("first check");
  firstCheck = false;
};

const note = (id, answer) => {
  const said = answer.error ? `${answer.error}. ${answer.help ?? ""}` : "";
  const broken = !said && answer.text === undefined;
  at(id).hidden = !said && !broken;
  at(id).textContent = said || (broken ? "The file has errors: see the problems." : "");
};
const options = (id, names, chosen) => {
  const select = at(id);
  const value = names.includes(chosen) ? chosen : names[0] ?? "";
  if (names.join("\n") !== [...select.options].map((option) => option.value).join("\n"))
    select.replaceChildren(...names.map((one) => new Option(one === "" ? "every experiment" : one, one)));
  select.value = value;
  select.disabled = names.length < 2;
};

const panels = {
  "tab-problems": () => {},
  "tab-show": async () => {
    const mine = round;
    const answer = await server.ask("trl/show", { name, text: text(), of: at("declaration").value, changed: at("changed").checked });
    if (mine !== round) return;
    // What was chosen may be gone from a new text.
    if (answer.error && at("declaration").value) {
      at("declaration").value = "";
      return panels["tab-show"]();
    }
    note("show-note", answer);
    at("shown").textContent = answer.text ?? "";
    if (answer.known?.length) options("declaration", ["", ...answer.known], at("declaration").value);
  },
  "tab-stages": async () => {
    const mine = round, began = performance.now();
    const waiting = setInterval(() => {
      at("planning").hidden = false;
      at("planning").textContent = `Planning: ${Math.round((performance.now() - began) / 1000)} s`;
    }, 1000);
    const answer = await askForPlan("trl/plan", { name, text: text(), of: at("experiment").value }).finally(() => {
      clearInterval(waiting);
      at("planning").hidden = true;
    });
    if (!answer || mine !== round) return;
    note("stages-note", answer);
    plan = answer.stages ? answer : null;
    options("experiment", answer.experiments ?? [], answer.experiment);
    options("seed", (answer.seeds ?? []).map(String), at("seed").value);
    at("plan").textContent = plan ? answer.text + answer.cost : "";
    showStages();
  },
};
let plan = null;
const showStages = () => {
  at("as-table").hidden = !plan;
  if (!plan) {
    at("graph").replaceChildren();
    at("table").replaceChildren();
    at("sharing").textContent = "";
    return;
  }
  const seed = Number(at("seed").value);
  at("graph").replaceChildren(draw(plan, seed));
  at("table").replaceChildren(table(plan, seed));
  const uses = plan.stages.reduce((sum, { uses }) => sum + uses.length, 0);
  at("sharing").textContent = `${plan.stages.length} stages do the work of ${uses}, since equal ones are run once. ` +
    "A box with ×2 is shared by two rows of the table, which are on the right.";
};

const tabs = [...document.querySelectorAll('[role="tab"]')];
const refreshPanel = () => panels[tabs.find((tab) => tab.getAttribute("aria-selected") === "true").id]();
const choose = (tab) => {
  for (const other of tabs) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    at(other.getAttribute("aria-controls")).hidden = !chosen;
  }
  refreshPanel();
};
for (const [index, tab] of tabs.entries()) {
  tab.onclick = () => choose(tab);
  tab.onkeydown = ({ key }) => {
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: tabs.length - 1 }[key];
    if (to === undefined) return;
    const next = tabs[(to + tabs.length) % tabs.length];
    next.focus();
    choose(next);
  };
}
at("declaration").onchange = at("changed").onchange = at("experiment").onchange = refreshPanel;
at("seed").onchange = showStages;
at("format").onclick = () => { client.sync(); formatDocument(view); view.focus(); };
at("share").onclick = async () => {
  await keepAddress();
  try {
    await navigator.clipboard.writeText(location.href);
    say("The link is copied.");
    at("share").textContent = "Copied";
    setTimeout(() => { at("share").textContent = "Copy link"; }, 2000);
  } catch {
    say("The browser doesn't let the page copy. The link is the page's address.");
    at("share").textContent = "It is the address";
  }
};
for (const link of document.querySelectorAll("[data-skip]"))
  link.onclick = (event) => {
    event.preventDefault();
    if (link.dataset.skip === "editor") view.focus();
    else at("results").focus();
  };

const extensions = () => [
  lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), closeBrackets(),
  highlightSelectionMatches(), autocompletion(), indentUnit.of("  "), indentation, EditorView.lineWrapping,
  EditorState.languageData.of(() => [{ commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } }]),
  EditorView.contentAttributes.of({ "aria-label": `Text of ${name}`, "aria-describedby": "keys", spellcheck: "false" }),
  keymap.of([
    { key: "Alt-k", run: explain }, { key: "Escape", run: leaveExplanation }, { key: "Mod-.", run: fixHere }, { key: "F8", run: nextDiagnostic },
    ...closeBracketsKeymap, ...completionKeymap, ...formatKeymap, ...renameKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab,
  ]),
  explanation, highlighting,
  client.plugin(uri(), "trl"), serverCompletion({ override: true }), hoverTooltips({ hoverTime: 300 }), signatureHelp(),
  EditorView.updateListener.of((update) => { if (update.docChanged) changed(); }),
];

/** Texts of the reader's own that were left for others: each can be chosen again. */
const kept = [];
const keptAs = (file, content) => kept.find((one) => one.file === file && one.text === content);
/** Keeps the text that is in the editor, unless it is an example as it was. */
const keep = () => {
  if (!view || text() === current?.text || keptAs(name, text())) return;
  if (kept.includes(current)) {
    current.text = text();
    return;
  }
  kept.push({ id: `own ${kept.length}`, file: name, text: text() });
  at("example").append(new Option(`your own ${kept.length}: ${name}`, kept.at(-1).id));
};

/** Shows a file in the editor. `source`, an example or a kept text, is known by its name until its text is changed. */
const open = (file, source) => {
  keep();
  view?.destroy();
  name = file.name;
  current = source ?? null;
  at("file").textContent = name;
  at("example").value = source?.id ?? "";
  diagnostics = [];
  actions = [];
  view = new EditorView({ parent: at("editor"), state: EditorState.create({ doc: file.text, extensions: extensions() }) });
  return refresh();
};

const select = at("example");
select.append(new Option("your own", ""));
examples.forEach((example, id) => {
  example.id = String(id);
  select.append(new Option(example.title, example.id));
});
select.onchange = async () => {
  const source = [...examples, ...kept].find(({ id }) => id === select.value);
  if (!source) return;
  clearTimeout(addressTimer);
  await keepAddress();  // "back" leads to the text that is left
  await open({ name: source.file, text: source.text }, source);
  history_.pushState(null, "", await address());
};

const arrive = async () => {
  const wanted = await fromAddress(location.hash);
  const example = examples.find((one) => one.name === (wanted.example ?? "")) ?? examples[0];
  if (wanted.text !== undefined) await open({ name: wanted.name, text: wanted.text }, keptAs(wanted.name, wanted.text));
  else await open({ name: example.file, text: example.text }, example);
  if (wanted.broken) say("The link could not be read: it may have been cut off. The first example is shown.");
};
window.addEventListener("hashchange", arrive);
// For tests: the page's own requests, and the editor.
window.trl = { ask: server.ask, examples, get view() { return view; }, get name() { return name; } };
arrive().catch((error) => failed(error.message));
