// Starts the language server, offers tasks of trl, and shows reports. Highlighting, snippets and the matcher of problems are
// in package.json and work without this.
const fs = require('fs');
const path = require('path');
const vscode = require('vscode');

let client;

const settings = () => vscode.workspace.getConfiguration('trl');
const command = () => settings().get('command') || 'trl';

/** The .trl file that is open; undefined when there is none. */
function openFile() {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'trl' && !document.isUntitled ? document.uri.fsPath : undefined;
}

async function startServer() {
  if (!settings().get('server')) return;
  let languageClient;
  try {
    languageClient = require('vscode-languageclient/node');
  } catch {
    return; // The extension was copied without its dependencies: everything else still works.
  }
  const server = { command: command(), args: ['lsp'], transport: languageClient.TransportKind.stdio };
  client = new languageClient.LanguageClient('trl', 'trl', server, {
    documentSelector: ['file', 'untitled', 'trl'].map((scheme) => ({ language: 'trl', scheme })),
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/{*.trl,trl.toml}') },
  });
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const choice = await vscode.window.showWarningMessage(
      `The language server didn't start: ${error.message}. Is \`${command()} lsp\` there?`,
      'Open settings',
    );
    if (choice) vscode.commands.executeCommand('workbench.action.openSettings', 'trl.command');
  }
}

async function stopServer() {
  const stopped = client;
  client = undefined;
  await stopped?.stop();
}

/** The text of a file of the library, `trl:/windtunnel.trl`, to which definitions lead. */
const library = {
  async provideTextDocumentContent(uri) {
    const content = await client?.sendRequest('workspace/textDocumentContent', { uri: uri.toString(true) });
    return content?.text ?? '';
  },
};

/** A task that runs `trl WORD FILE`, or `trl WORD FILE NAME` for one experiment or figure of the file. */
function taskOf(definition, scope) {
  const file = definition.file || openFile() || '${file}';
  const words = [definition.command, file, ...(definition.name ? [definition.name] : [])];
  const task = new vscode.Task(
    definition,
    scope,
    [definition.command, path.basename(file), ...words.slice(2)].join(' '),
    'trl',
    new vscode.ShellExecution(command(), words),
    definition.command === 'check' ? ['$trl'] : [],
  );
  if (definition.command === 'check') task.group = vscode.TaskGroup.Build;
  return task;
}

const tasks = {
  provideTasks() {
    const file = openFile();
    if (!file) return [];
    const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) || vscode.TaskScope.Workspace;
    return ['check', 'plan', 'run', 'table'].map((word) => taskOf({ type: 'trl', command: word, file }, folder));
  },
  resolveTask(task) {
    return taskOf(task.definition, task.scope || vscode.TaskScope.Workspace);
  },
};

/** Runs `trl WORD` on the open file or, called from above an experiment, on that one: with its file's address and its name. */
async function execute(word, address, name) {
  const file = address ? vscode.Uri.parse(address).fsPath : openFile();
  if (!file) return vscode.window.showInformationMessage('Open a .trl file first.');
  await vscode.window.activeTextEditor?.document.save();
  const folder = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) || vscode.TaskScope.Workspace;
  return vscode.tasks.executeTask(taskOf({ type: 'trl', command: word, file, ...(name ? { name } : {}) }, folder));
}

/** Asks which figure of a table is meant, and traces it. */
async function trace(address, table) {
  const start = `${table || 'TABLE'}[`;
  const figure = await vscode.window.showInputBox({
    prompt: 'The figure to trace, as TABLE[ROW, COLUMN]',
    value: `${start}ROW, COLUMN]`,
    valueSelection: [start.length, start.length + 'ROW, COLUMN'.length],
  });
  return figure ? execute('trace', address, figure) : undefined;
}

/** The reports that trl wrote for the file: runs/EXPERIMENT/report.html beside it or in a folder above. */
function reportsOf(file, text) {
  const names = [...text.matchAll(/^\s*experiment\s+(\w+)/gm)].map((match) => match[1]);
  const found = [];
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const runs = path.join(folder, 'runs');
    for (const entry of fs.existsSync(runs) ? fs.readdirSync(runs) : []) {
      const page = path.join(runs, entry, 'report.html');
      if (names.includes(entry.split('.')[0]) && fs.existsSync(page)) found.push(page);
    }
    if (found.length > 0 || folder === path.dirname(folder)) return found;
  }
}

async function showReport() {
  const file = openFile();
  if (!file) return vscode.window.showInformationMessage('Open a .trl file first.');
  const pages = reportsOf(file, vscode.window.activeTextEditor.document.getText());
  if (pages.length === 0)
    return vscode.window.showInformationMessage('There is no report of this file yet: `trl run` writes it.');
  const named = pages.map((page) => ({ label: path.basename(path.dirname(page)), page }));
  const chosen = named.length === 1 ? named[0] : await vscode.window.showQuickPick(named);
  if (!chosen) return undefined;
  const panel = vscode.window.createWebviewPanel('trl.report', chosen.label, vscode.ViewColumn.Beside, {
    enableScripts: true,
    localResourceRoots: [vscode.Uri.file(path.dirname(chosen.page))],
  });
  const show = () => fs.readFile(chosen.page, 'utf8', (error, text) => !error && (panel.webview.html = text));
  show();
  const watcher = fs.watch(path.dirname(chosen.page), (event, name) => name === 'report.html' && show());
  panel.onDidDispose(() => watcher.close());
  return panel;
}

async function activate(context) {
  const commands = {
    'trl.run': (address, name) => execute('run', address, name),
    'trl.plan': (address, name) => execute('plan', address, name),
    'trl.check': () => execute('check'),
    'trl.trace': trace,
    'trl.report': showReport,
    'trl.restart': async () => {
      await stopServer();
      await startServer();
    },
  };
  for (const [name, run] of Object.entries(commands))
    context.subscriptions.push(vscode.commands.registerCommand(name, run));
  context.subscriptions.push(vscode.tasks.registerTaskProvider('trl', tasks));
  context.subscriptions.push(vscode.workspace.registerTextDocumentContentProvider('trl', library));
  await startServer();
}

module.exports = { activate, deactivate: stopServer, reportsOf, execute };
