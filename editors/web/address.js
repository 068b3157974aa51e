// The page's address keeps the text: an example by its name, any other text packed behind `#`.

const packed = async (bytes, stream) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());

export const toAddress = async (name, text) => {
  const bytes = await packed(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const code = btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `#file=${encodeURIComponent(name)}&text=${code}`;
};

/** { example }, { name, text } or, for an address that can't be read, { broken: true }. */
export const fromAddress = async (hash) => {
  const fields = new URLSearchParams(hash.slice(1));
  if (fields.has("example")) return { example: fields.get("example") };
  if (!fields.has("text")) return {};
  try {
    const binary = atob(fields.get("text").replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await packed(bytes, new DecompressionStream("deflate-raw")));
    const name = fields.get("file") ?? "";
    return { name: /^[\w-]{1,60}\.trl$/.test(name) ? name : "shared.trl", text };
  } catch {
    return { broken: true };
  }
};
