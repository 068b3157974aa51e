// Writes to $OUT what highlight.js makes of $TEXT, with `<scope text>` for its spans. It is run by editors/check.
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const hljs = createRequire(`${process.env.MODULES}/`)('highlight.js');
const source = `${process.env.MODULES}/trl.mjs`;
fs.copyFileSync(`${process.env.EDITORS}/highlightjs/trl.js`, source);
hljs.registerLanguage('trl', (await import(pathToFileURL(source))).default);
const html = hljs.highlight(fs.readFileSync(process.env.TEXT, 'utf8'), { language: 'trl' }).value;
const text = html
  .replace(/<span class="hljs-([a-z_ ]*)">/g, (all, scope) => `<${scope.trim()} `)
  .replace(/<\/span>/g, '>')
  .replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&quot;/g, '"').replace(/&amp;/g, '&').replace(/&#x27;/g, "'");
fs.writeFileSync(process.env.OUT, text);
