// Makes the page's folder of its parts: node bundle.js ROOT WASM_FOLDER OUT
import { build } from "esbuild";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync, copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";

const [root, wasm, out] = process.argv.slice(2);
const here = join(root, "editors/web");
const folder = readFileSync(join(root, "docs/tour.md"), "utf8");

/** The examples of the tour in their order: { name, file, title, text }. Those that are wrong on purpose have no name there. */
export const examplesOf = (tour) => {
  const examples = [];
  let heading = "", fence = null;
  for (const line of tour.split("\n")) {
    if (fence) {
      if (line.startsWith("```")) {
        examples.push({ ...fence, text: `${fence.lines.join("\n")}\n` });
        fence = null;
      } else fence.lines.push(line);
    } else if (line.startsWith("## ")) heading = line.slice(3);
    else if (/^```trl (\S+)/.test(line)) {
      const word = line.match(/^```trl (\S+)/)[1];
      const wrong = word === "bad";
      const slug = heading.toLowerCase().replace(/[^a-z0-9]+/g, "-");
      fence = { name: wrong ? `${slug}-mistake` : word, file: wrong ? "bad.trl" : word,
        title: wrong ? `${heading}: a mistake` : `${heading}: ${word.replace(/\.trl$/, "")}`, lines: [] };
    }
  }
  return examples.map(({ name, file, title, text }) => ({ name, file, title, text }));
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

// The emscripten glue asks Node for modules only in Node.
const shared = { bundle: true, minify: true, format: "esm", target: "es2022", legalComments: "none", logLevel: "warning" };
const made = await build({
  ...shared, entryPoints: [join(here, "page.js")], outfile: join(out, "page.js"), metafile: true,
  plugins: [{ name: "examples", setup: (plan) => {
    plan.onResolve({ filter: /^examples\.json$/ }, () => ({ path: "examples.json", namespace: "examples" }));
    plan.onLoad({ filter: /.*/, namespace: "examples" }, () => ({ contents: JSON.stringify(examplesOf(folder)), loader: "json" }));
  } }],
});
await build({
  ...shared, entryPoints: [join(here, "worker.js")], outfile: join(out, "worker.js"), external: ["fs", "path", "module", "url", "crypto"],
  plugins: [{ name: "glue", setup: (plan) => {
    plan.onResolve({ filter: /^\.\/trl\.js$/ }, () => ({ path: join(wasm, "trl.js") }));
  } }],
});
await build({ ...shared, entryPoints: [join(here, "start.js")], outfile: join(out, "start.js") });
await build({ ...shared, entryPoints: [join(here, "page.css")], outfile: join(out, "page.css"), bundle: true });
copyFileSync(join(here, "index.html"), join(out, "index.html"));
writeFileSync(join(out, "trl.wasm.gz"), gzipSync(readFileSync(join(wasm, "trl.wasm")), { level: 9 }));
// The files of the library that checks read: shape and pretraining of the embedded model.
for (const name of ["config.json", "manifest.json"])
  writeFileSync(join(out, `${name}.gz`), gzipSync(readFileSync(join(root, "stdlib/windtunnel", name)), { level: 9 }));

// Licences of what was bundled, by the packages that esbuild read.
const packages = new Set(Object.keys(made.metafile.inputs).map((path) => path.match(/node_modules\/((?:@[^/]+\/)?[^/]+)/)?.[1]).filter(Boolean));
let licences = "The page is made of trl (Apache License 2.0) and of these:\n";
for (const name of [...packages].sort()) {
  const at = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"));
  const file = readdirSync(at).find((one) => /^licen[sc]e/i.test(one));
  if (!file) throw new Error(`${name} has no file with its licence: the page can't list it`);
  licences += `\n${"=".repeat(72)}\n${name} ${version}: ${license}\n\n${readFileSync(join(at, file), "utf8").trim()}\n`;
}
// Of what is compiled in, Debian names licences and holders in these files.
for (const name of ["libfmt-dev", "nlohmann-json3-dev", "tao-pegtl-dev", "libboost-dev", "emscripten"]) {
  const file = `/usr/share/doc/${name}/copyright`;
  if (existsSync(file)) licences += `\n${"=".repeat(72)}\n${name}, compiled into trl.wasm\n\n${readFileSync(file, "utf8").trim()}\n`;
}
writeFileSync(join(out, "licences.txt"), licences);

// What a browser downloads: files that end in gz as they are, the others as a server may pack them.
let gzip = 0, brotli = 0;
const column = (text, width) => String(text).padStart(width);
console.log(`${"file".padEnd(20)}${column("bytes", 10)}${column("gzip", 10)}${column("brotli", 10)}`);
for (const name of readdirSync(out).filter((one) => one !== "licences.txt")) {
  const bytes = readFileSync(join(out, name));
  const packed = name.endsWith(".gz");
  const g = packed ? bytes.length : gzipSync(bytes, { level: 9 }).length, b = packed ? bytes.length : brotliCompressSync(bytes).length;
  console.log(`${name.padEnd(20)}${column(bytes.length, 10)}${column(g, 10)}${column(b, 10)}`);
  gzip += g;
  brotli += b;
}
console.log(`${"all".padEnd(30)}${column(gzip, 10)}${column(brotli, 10)}`);
if (gzip > 2_000_000) {
  console.error("bundle.js: the page is larger than 2,000,000 bytes as it is sent");
  process.exit(1);
}
