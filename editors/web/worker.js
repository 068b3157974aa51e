// Runs the language in a thread of its own, so that checking never holds up typing.
// In: a message of JSON-RPC as text. Out: the messages that answer it, as texts; { failed } when it can't start.
import create from "./trl.js";

const unpacked = async (name, type) => {
  const answer = await fetch(new URL(name, import.meta.url));
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": type } });
};

const start = () => new Promise((done, fail) => {
  const files = ["config.json", "manifest.json"].map(async (name) => {
    const answer = await unpacked(`${name}.gz`, "application/json");
    return [name, new Uint8Array(await answer.arrayBuffer())];
  });
  const wasm = unpacked("trl.wasm.gz", "application/wasm");
  create({
    instantiateWasm(imports, take) {
      wasm.then((answer) => WebAssembly.instantiateStreaming(answer, imports))
        .then(({ instance, module }) => take(instance, module))
        .catch(fail);
      return {};
    },
  }).then(async (module) => {
    // The files of the library that checks read: shape and pretraining of the embedded model.
    module.FS.mkdirTree("stdlib/windtunnel");
    for (const [name, bytes] of await Promise.all(files)) module.FS.writeFile(`stdlib/windtunnel/${name}`, bytes, { canOwn: true });
    done(module);
  }).catch(fail);
  Promise.all(files).catch(fail);
});

// Messages that arrive before the module is ready wait for it; later ones are answered in their order.
const started = start();
const failed = (error) => postMessage({ failed: String(error) });
started.catch(failed);
let waiting = 0;
onmessage = ({ data }) => {
  ++waiting;
  started.then((module) => {
    const call = (name, ...texts) => {
      for (const message of JSON.parse(module.ccall(name, "string", texts.map(() => "string"), texts)))
        postMessage(JSON.stringify(message));
    };
    try {
      call("trl_receive", data);
      if (--waiting === 0) call("trl_settle");
    } catch (error) {
      postMessage({ failed: `the checker stopped: ${error}` });
    }
  }, failed);  // again, since the page may not have listened yet
};
