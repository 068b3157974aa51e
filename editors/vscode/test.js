// Tries what of the extension needs no VS Code, under Node: `node test.js`.
const assert = require('node:assert');
const fs = require('node:fs');
const Module = require('node:module');
const os = require('node:os');
const path = require('node:path');
const { execFileSync } = require('node:child_process');

const registered = { commands: [], providers: [], executed: [] };
class Recorded {
  constructor(...values) {
    this.values = values;
  }
}
const editor = { document: { languageId: 'trl', isUntitled: false, save() {}, uri: { fsPath: '/a/b.trl' }, getText: () => '' } };
const vscode = {
  workspace: {
    getConfiguration: () => ({ get: (name) => ({ command: 'trl', server: true })[name] }),
    getWorkspaceFolder: () => undefined,
    registerTextDocumentContentProvider: (scheme) => assert.equal(scheme, 'trl'),
  },
  window: { activeTextEditor: editor },
  commands: { registerCommand: (name) => registered.commands.push(name) },
  tasks: {
    executeTask: (task) => registered.executed.push(task),
    registerTaskProvider: (type, provider) => registered.providers.push([type, provider]),
  },
  Uri: { file: (name) => ({ fsPath: name }), parse: (address) => ({ fsPath: address.replace('file://', '') }) },
  Task: Recorded,
  ShellExecution: Recorded,
  TaskScope: { Workspace: 2 },
  TaskGroup: { Build: 'build' },
};
const load = Module._load;
Module._load = (name, ...rest) => {
  if (name === 'vscode') return vscode;
  // As where the dependencies weren't installed.
  if (name === 'vscode-languageclient/node') throw new Error('not installed');
  return load(name, ...rest);
};
const extension = require('./extension.js');
const described = JSON.parse(fs.readFileSync(path.join(__dirname, 'package.json'), 'utf8'));

async function main() {
  await extension.activate({ subscriptions: [] });
  assert.deepEqual(
    registered.commands.sort(),
    described.contributes.commands.map((one) => one.command).sort(),
    'every command is there',
  );
  const [type, provider] = registered.providers[0];
  assert.equal(type, 'trl');
  const [check] = provider.provideTasks();
  assert.deepEqual(check.values[0], { type: 'trl', command: 'check', file: '/a/b.trl' });
  assert.deepEqual(check.values[4].values, ['trl', ['check', '/a/b.trl']]);
  assert.deepEqual(check.values[5], ['$trl']);

  // As the server's code lens above an experiment calls it.
  await extension.execute('run', 'file:///c/d.trl', 'study');
  assert.deepEqual(registered.executed[0].values[4].values, ['trl', ['run', '/c/d.trl', 'study']]);

  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trl-extension-'));
  try {
    fs.mkdirSync(path.join(folder, 'runs/study.slow'), { recursive: true });
    fs.mkdirSync(path.join(folder, 'runs/other'));
    fs.mkdirSync(path.join(folder, 'experiments'));
    for (const name of ['study.slow', 'other']) fs.writeFileSync(path.join(folder, 'runs', name, 'report.html'), '');
    const reports = extension.reportsOf(path.join(folder, 'experiments/a.trl'), 'experiment study : b {}\n');
    assert.deepEqual(reports, [path.join(folder, 'runs/study.slow/report.html')]);

    // The matcher of problems on what `trl check` prints.
    if (process.env.TRL) {
      const file = path.join(folder, 'bad.trl');
      fs.writeFileSync(file, 'lora writer { rnk = 16, dropout = 5 }\n');
      let printed = '';
      try {
        execFileSync(process.env.TRL, ['check', file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      } catch (error) {
        printed = error.stdout + error.stderr;
      }
      const pattern = described.contributes.problemMatchers[0].pattern;
      const found = printed.split('\n').map((line) => line.match(new RegExp(pattern.regexp))).filter(Boolean);
      assert.deepEqual(
        found.map((match) => [match[pattern.file], match[pattern.line], match[pattern.column], match[pattern.severity], match[pattern.code]]),
        [[file, '1', '15', 'error', 'unknown_field'], [file, '1', '35', 'error', 'out_of_range']],
      );
    }
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
  console.log('the extension registers its commands and tasks, finds reports and matches problems');
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
