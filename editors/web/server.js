// The language server in the worker, as CodeMirror's client sees it, and the page's own requests.

/**
 * Requests that may take long, in a worker of its own, which starts at the first one. Of requests that wait only the
 * newest is asked; an older one gives undefined.
 */
export const background = (onFailure) => {
  let server = null, next = null, busy = false;
  const go = async () => {
    if (busy || !next) return;
    const { method, params, done, fail } = next;
    next = null;
    busy = true;
    await server.ask(method, params).then(done, fail);
    busy = false;
    go();
  };
  return (method, params) => {
    server ??= connect(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }), onFailure);
    next?.done(undefined);
    return new Promise((done, fail) => {
      next = { method, params, done, fail };
      go();
    });
  };
};

/** A transport for CodeMirror's client with `ask(method, params)` for the page's requests, whose ids begin with "page". */
export const connect = (worker, onFailure) => {
  const handlers = new Set();
  const waiting = new Map();
  let asked = 0;
  worker.addEventListener("message", ({ data }) => {
    if (data.failed) {
      for (const { fail } of waiting.values()) fail(new Error(data.failed));
      waiting.clear();
      return onFailure(data.failed);
    }
    const message = JSON.parse(data);
    if (typeof message.id === "string" && waiting.has(message.id)) {
      const { done, fail } = waiting.get(message.id);
      waiting.delete(message.id);
      return message.error ? fail(new Error(message.error.message)) : done(message.result);
    }
    for (const handler of handlers) handler(data);
  });
  worker.addEventListener("error", (event) => onFailure(event.message || "the worker could not be loaded"));
  return {
    send: (text) => worker.postMessage(text),
    subscribe: (handler) => handlers.add(handler),
    unsubscribe: (handler) => handlers.delete(handler),
    ask: (method, params) =>
      new Promise((done, fail) => {
        const id = `page ${++asked}`;
        waiting.set(id, { done, fail });
        worker.postMessage(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      }),
  };
};

const allowed = new Set("P CODE PRE EM STRONG UL OL LI BR HR H1 H2 H3 H4 H5 H6 TABLE THEAD TBODY TR TH TD BLOCKQUOTE DEL SPAN DIV".split(" "));

/** Markdown may hold any HTML, and a shared link any text: what remains is text and elements without attributes. */
export const harmless = (html) => {
  const clean = (node) => {
    for (const child of [...node.childNodes]) {
      if (child.nodeType === Node.TEXT_NODE) continue;
      if (child.nodeType !== Node.ELEMENT_NODE) {
        child.remove();
        continue;
      }
      clean(child);
      if (!allowed.has(child.tagName)) {
        if (child.tagName === "SCRIPT" || child.tagName === "STYLE") child.remove();
        else child.replaceWith(...child.childNodes);
        continue;
      }
      for (const { name } of [...child.attributes]) child.removeAttribute(name);
    }
  };
  const page = document.implementation.createHTMLDocument("");
  // Handlers do nothing in such a document; without their names the browser has nothing to report either.
  page.body.innerHTML = html.replace(/\son\w+\s*=/gi, " data-handler=");
  clean(page.body);
  return page.body.innerHTML;
};
