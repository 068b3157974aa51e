// Starts the language before the editor's code has arrived, since the first check waits for it longest.
window.trlWorker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
