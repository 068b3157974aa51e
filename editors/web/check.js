// Tries the built page in headless Chromium: node check.js ROOT PAGE TRL [PICTURES]
// Its answers beside those of `trl`, its use by the keyboard alone, narrow and wide, light and dark, and the time to the first check.
import { chromium } from "playwright-core";
import { execFileSync } from "node:child_process";
import { createReadStream, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";

const [root, page, trl, pictures] = process.argv.slice(2);
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".txt": "text/plain; charset=utf-8" };
const server = createServer((request, response) => {
  const path = normalize(decodeURIComponent(new URL(request.url, "http://local").pathname)).replace(/\/$/, "/index.html");
  const file = join(page, path);
  if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(response);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}/`;

let tried = 0;
const wrong = [];
const expect = (holds, what) => {
  ++tried;
  if (!holds) wrong.push(what), console.log(`wrong: ${what}`);
};

// trl runs in a folder with the library, so that the paths in its messages are the page's.
const folder = mkdtempSync(join(tmpdir(), "page-check-"));
symlinkSync(join(root, "stdlib"), join(folder, "stdlib"));
// With trl-verify beside trl it tries trivial answers on tasks, as on the desk; else a note that it couldn't is left out, which the
// page has in words of its own.
const verifies = existsSync(join(dirname(trl), "trl-verify"));
const untried = /^.*note\[degenerate_task\]: \d+ tasks? (were|was) not tried with trivial answers.*\n.*\n.*\n\n?/gm;
const native = (command, name, text, { verify = false } = {}) => {
  writeFileSync(join(folder, name), text);
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8", TRL_HOME: ".", NO_COLOR: "1", ...(verify && verifies ? {} : { TRL_VERIFY: "/nonexistent" }), XDG_CACHE_HOME: join(folder, "cache") };
  try {
    return execFileSync("sh", ["-c", 'exec "$@" 2>&1', "sh", trl, command, name], { cwd: folder, env, encoding: "utf8" }).replace(untried, "");
  } catch (error) {
    return error.stdout.replace(untried, "");
  }
};

const found = process.env.TRL_CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath: found, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
const asked = new Set(), complaints = [];
const visit = async (options = {}, address = "") => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const tab = await context.newPage();
  tab.on("request", (request) => asked.add(new URL(request.url()).origin));
  tab.on("pageerror", (error) => complaints.push(String(error)));
  tab.on("console", (message) => { if (message.type() === "error") complaints.push(message.text()); });
  await tab.goto(origin + address);
  await tab.waitForFunction(() => performance.getEntriesByName("first check").length > 0, null, { timeout: 60000 });
  return tab;
};
const settled = (tab) => tab.waitForTimeout(600);
const printed = (tab) => tab.locator("#printed").textContent();

// From the load to the first check: before the rest, on a browser that has seen nothing.
const measure = async () => {
  const times = [];
  for (let i = 0; i < 9; ++i) {
    const tab = await visit();
    times.push(await tab.evaluate(() => performance.getEntriesByName("first check")[0].startTime));
    await tab.context().close();
  }
  times.sort((a, b) => a - b);
  const median = times[times.length >> 1];
  console.log(`first check after the load began: median ${median.toFixed(0)} ms of ${times.length} visits without a cache (${times[0].toFixed(0)} to ${times.at(-1).toFixed(0)})`);
  if (process.env.TRL_TIMES !== "0") expect(median <= 1000, `the first check takes ${median.toFixed(0)} ms, and 1,000 are allowed`);
};
await measure();

if (process.env.TRL_ONLY !== "times") await everything();

async function everything() {
// 1. The same diagnostics as trl check, byte for byte: what the page shows of each example of the tour.
const first = await visit();
const examples = await first.evaluate(() => window.trl.examples.map(({ id, file, text }) => ({ id, file, text })));
expect(examples.length > 10, "the tour has examples");
const blocks = readFileSync(join(root, "docs/tour.md"), "utf8").match(/^```trl /gm).length;
expect(examples.length === blocks, `the page has all examples of the tour: ${examples.length} of ${blocks}`);
for (const { id, file, text } of examples) {
  await first.locator("#printed").evaluate((element) => { element.textContent = "not checked"; });
  await first.selectOption("#example", id);
  await first.waitForFunction(() => document.getElementById("printed").textContent !== "not checked");
  expect((await printed(first)) === native("check", file, text, { verify: true }), `the page checks ${file} (example ${id}) as trl does`);
}
const bad = join(root, "tests/language/bad");
for (const file of readdirSync(bad).filter((name) => name.endsWith(".trl"))) {
  const text = readFileSync(join(bad, file), "utf8");
  const answer = await first.evaluate(([name, text]) => window.trl.ask("trl/check", { name, text }), [file, text]);
  expect(answer.err + answer.out === native("check", file, text), `the page checks tests/language/bad/${file} as trl does`);
}
for (const { file, text } of examples.filter(({ file }) => file !== "bad.trl")) {
  const answer = await first.evaluate(([name, text]) => window.trl.ask("trl/show", { name, text }), [file, text]);
  expect(answer.err + (answer.text ?? "") === native("show", file, text), `the page shows ${file} as trl does`);
}
// Random damage: bytes left out and doubled, so that recovery is compared, too.
let state = 1;
const random = (below) => (state = (state * 48271) % 2147483647) % below;
const { text: whole } = examples.find(({ file }) => file === "claims.trl");
for (let i = 0; i < 40; ++i) {
  const at = random(whole.length), length = random(5);
  const text = random(2) ? whole.slice(0, at) + whole.slice(at + length) : whole.slice(0, at + length) + whole.slice(at);
  const answer = await first.evaluate((text) => window.trl.ask("trl/check", { name: "damaged.trl", text }), text);
  expect(answer.err + answer.out === native("check", "damaged.trl", text), `the page checks damaged text ${i} as trl does`);
}

// 2. The keyboard alone.
const keys = await visit({}, "#example=mistakes-are-found-before-anything-runs-mistake");
await settled(keys);
const focus = () => keys.evaluate(() => {
  const element = document.activeElement;
  return element.id || element.textContent.trim() || element.className;
});
const ring = () => keys.waitForTimeout(60).then(() => keys.evaluate(() => {
  const element = document.activeElement.closest(".cm-editor") ?? document.activeElement;
  const style = getComputedStyle(element);
  return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
}));
await keys.keyboard.press("Tab");
expect((await focus()) === "Skip to the editor", "the first stop is the link to the editor");
expect(await keys.evaluate(() => document.activeElement.getBoundingClientRect().left >= 0), "the link is visible when it has the focus");
await keys.keyboard.press("Enter");
expect(await keys.evaluate(() => document.activeElement.closest(".cm-editor") !== null), "the link leads into the editor");
expect(await ring(), "the editor shows that it has the focus");
await keys.keyboard.press("F8");
await settled(keys);
await keys.keyboard.press("Control+.");
await settled(keys);
const mended = await keys.evaluate(() => window.trl.view.state.doc.toString());
expect(mended.includes("rank = 16"), `Ctrl+. makes the first fix of the line: ${mended}`);
expect((await printed(keys)) === native("check", "bad.trl", mended), "after a fix the page checks as trl does");
await keys.keyboard.press("Home");
await keys.keyboard.press("ArrowRight");
await keys.keyboard.press("Alt+k");
await keys.waitForFunction(() => document.getElementById("status").textContent.length > 20, null, { timeout: 5000 }).catch(() => {});
expect((await keys.locator("#status").textContent()).length > 20, "Alt+K explains what is at the cursor, and says it");
await keys.keyboard.press("Escape");
await keys.keyboard.press("Control+End");
await keys.keyboard.type("\nextension ");
await keys.keyboard.type("m : mul");
await keys.waitForSelector(".cm-tooltip-autocomplete", { timeout: 5000 }).catch(() => {});
expect((await keys.locator(".cm-tooltip-autocomplete").count()) > 0, "completion is offered while one types");
await keys.waitForTimeout(200);
await keys.keyboard.press("Enter");
await settled(keys);
expect((await keys.evaluate(() => window.trl.view.state.doc.toString())).includes("multi_input"), "Enter takes a completion");
await keys.keyboard.press("Escape");
await keys.keyboard.press("Escape");
await keys.keyboard.press("Tab");
expect(await keys.evaluate(() => document.activeElement.closest(".cm-content") === null), "Escape, then Tab leaves the editor");
// From there every control is reached, with a visible focus.
const reached = new Set();
for (let i = 0; i < 60; ++i) {
  const at = await focus();
  if (reached.has(at) && at === "Skip to the editor") break;
  if (at) {
    reached.add(at);
    if (at !== "BODY" && (await keys.evaluate(() => document.activeElement !== document.body))) expect(await ring(), `${at} shows that it has the focus`);
  }
  if (await keys.evaluate(() => document.activeElement.closest(".cm-content") !== null)) await keys.keyboard.press("Escape");
  await keys.keyboard.press("Tab");
}
for (const id of ["tab-problems", "example", "format", "share"]) expect(reached.has(id), `the keyboard reaches ${id}`);
await keys.focus("#tab-problems");
await keys.keyboard.press("ArrowRight");
expect((await focus()) === "tab-show" && (await keys.locator("#show").isVisible()), "an arrow chooses the next tab");
await keys.keyboard.press("End");
expect((await focus()) === "tab-stages" && (await keys.locator("#stages").isVisible()), "End chooses the last tab");

// 3. The address keeps the text.
const own = "import example\n# déjà vu → ε\nlora l { rank = 8 }\n";
await keys.evaluate((text) => window.trl.view.dispatch({ changes: { from: 0, to: window.trl.view.state.doc.length, insert: text } }), own);
await keys.waitForTimeout(900);
const address = (await keys.evaluate(() => location.hash));
const again = await visit({}, address);
expect((await again.evaluate(() => window.trl.view.state.doc.toString())) === own, "another visit to the address has the same text");
expect((await again.evaluate(() => window.trl.name)) === "bad.trl", "and the same name");
const doc = (tab) => tab.evaluate(() => window.trl.view.state.doc.toString());
const chosen = examples.find(({ file }) => file === "design.trl");
await again.selectOption("#example", chosen.id);
await settled(again);
expect((await doc(again)) === chosen.text, "an example takes the place of one's own text");
await again.evaluate(() => window.trl.view.dispatch({ changes: { from: 0, insert: "# mine, too\n" } }));
await settled(again);
await again.selectOption("#example", { label: "your own 1: bad.trl" });
await settled(again);
expect((await doc(again)) === own, "the text that was left for an example can be chosen again");
await again.selectOption("#example", { label: "your own 2: design.trl" });
await settled(again);
expect((await doc(again)) === `# mine, too\n${chosen.text}`, "a changed example is one's own text");
await again.goBack();
await again.waitForFunction((text) => window.trl.view.state.doc.toString() === text, own, { timeout: 5000 }).catch(() => {});
expect((await doc(again)) === own, "back leads to the text before");
const cut = await visit({}, address.slice(0, -5));
expect((await cut.locator("#status").textContent()).includes("could not be read"), "an address that was cut off is reported");

// 4. Formatting is that of trl fmt.
const messy = "lora   l{rank=8,dropout=5 %}\n";
await again.evaluate((text) => window.trl.view.dispatch({ changes: { from: 0, to: window.trl.view.state.doc.length, insert: text } }), messy);
await settled(again);
await again.click("#format");
await settled(again);
native("fmt", "messy.trl", messy);
expect((await again.evaluate(() => window.trl.view.state.doc.toString())) === readFileSync(join(folder, "messy.trl"), "utf8"), "Format formats as trl fmt does");
// Markdown of a shared text does nothing but show itself.
const hostile = "## <img src=x onerror=\"window.harmed=1\"> <a href=\"javascript:1\">a</a>\nlora l { rank = 8 }\n";
await again.evaluate((text) => window.trl.view.dispatch({ changes: { from: 0, to: window.trl.view.state.doc.length, insert: text }, selection: { anchor: text.indexOf("l {") } }), hostile);
await settled(again);
await again.click(".cm-content");
await again.evaluate(() => window.trl.view.dispatch({ selection: { anchor: window.trl.view.state.doc.toString().indexOf("l {") } }));
await again.keyboard.press("Alt+k");
await settled(again);
expect((await again.locator(".cm-lsp-hover-tooltip").count()) > 0, "a documented declaration is explained");
expect((await again.locator(".cm-tooltip img, .cm-tooltip a").count()) === 0 && !(await again.evaluate(() => window.harmed)), "HTML in a comment does nothing");

// 5. Narrow and wide, light and dark; with little motion.
if (pictures) mkdirSync(pictures, { recursive: true });
for (const width of [390, 1280])
  for (const colorScheme of ["light", "dark"]) {
    const tab = await visit({ viewport: { width, height: width === 390 ? 844 : 800 }, colorScheme, reducedMotion: "reduce" }, "#example=splits-mistake");
    await settled(tab);
    const shots = [["problems", null], ["values", "#tab-show"], ["stages", "#tab-stages"]];
    for (const [what, button] of shots) {
      if (button) {
        await tab.selectOption("#example", examples.find(({ file }) => file === "design.trl").id);
        await tab.click(button);
        await settled(tab);
      }
      const over = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(over <= 0, `${what} at ${width} pixels, ${colorScheme}: nothing stands ${over} pixels outside`);
      if (pictures) await tab.screenshot({ path: join(pictures, `${what}-${width}-${colorScheme}.png`), fullPage: true });
    }
    expect((await tab.locator("#graph .stage.shared").count()) > 3, `the graph at ${width} pixels, ${colorScheme} shows what rows share`);
    const contrast = await tab.evaluate(lowestContrast);
    expect(contrast.ratio >= 4.5, `at ${width} pixels, ${colorScheme} "${contrast.text}" has a contrast of ${contrast.ratio.toFixed(2)}, and 4.5 is needed`);
    await tab.click("#tab-problems");
    const moving = await tab.evaluate(() => [...document.querySelectorAll("*")].filter((element) => {
      const style = getComputedStyle(element);
      return (style.animationName !== "none" && style.animationDuration !== "0s") || parseFloat(style.transitionDuration) > 0;
    }).length);
    expect(moving === 0, `with little motion wanted ${moving} elements move`);
    await tab.context().close();
  }

/** The text with the lowest contrast to what is behind it, by WCAG 2's formula. Runs in the page. */
function lowestContrast() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colour = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  let lowest = { ratio: 99, text: "" };
  for (const element of document.querySelectorAll("body *")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own || element.closest("svg, .skip, :disabled, noscript, .visually-hidden") || element.getClientRects().length === 0) continue;
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const behind = colour(getComputedStyle(at).backgroundColor);
      if (behind[3] > 0) layers.push(behind);
      if (behind[3] === 255) break;
    }
    const back = layers.reverse().reduce((under, over) => under.map((part, i) => part + (over[i] - part) * (over[3] / 255)), [255, 255, 255]);
    const a = light(colour(getComputedStyle(element).color)), b = light(back);
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < lowest.ratio) lowest = { ratio, text: element.textContent.trim().slice(0, 40) };
  }
  return lowest;
}

expect([...asked].every((one) => one === new URL(origin).origin || one === "null"), `the page asks its own server alone: ${[...asked].join(", ")}`);
expect(complaints.length === 0, `the browser has nothing to complain of: ${complaints.join("; ")}`);

console.log(`diagnostics of the tour's examples were compared with trl check ${verifies ? "and trl-verify" : "without trl-verify"}`);
}

await browser.close();
server.close();
rmSync(folder, { recursive: true });
console.log(wrong.length ? `editors/web/check: ${wrong.length} of ${tried} expectations don't hold` : `editors/web/check: ${tried} expectations hold`);
process.exit(wrong.length ? 1 : 0);
