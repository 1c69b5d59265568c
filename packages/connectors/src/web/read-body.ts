import { BronError } from "@bron/core";
import type { IncomingMessage } from "node:http";
import type { Transform } from "node:stream";

/** Unpacked, and never more than `maxBytes` of it: what is larger is refused, however small it came over the wire. */
export async function readBody(response: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const declared = Number(response.headers["content-length"] ?? 0);
  const tooLarge = () => new BronError("too_large", `The page is larger than ${Math.round(maxBytes / 1024 / 1024)} MB.`);
  if (declared > maxBytes) {
    response.destroy();
    throw tooLarge();
  }
  const decoder = await decoderFor(response.headers["content-encoding"] ?? "identity");
  const stream = decoder ? response.pipe(decoder) : response;
  // A pipe does not carry errors along.
  response.once("error", (error) => stream.destroy(error));
  const stop = () => stream.destroy(new BronError("tool_timeout", "The page did not come in time."));
  signal.addEventListener("abort", stop, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk as Buffer);
    }
    return new Uint8Array(Buffer.concat(chunks));
  } catch (error) {
    if (BronError.is(error)) throw error;
    throw new BronError("tool_failed", "The page broke off while it was read.", { cause: error });
  } finally {
    signal.removeEventListener("abort", stop);
    response.destroy();
    stream.destroy();
  }
}

async function decoderFor(encoding: string): Promise<Transform | undefined> {
  const word = encoding.trim().toLowerCase();
  if (word === "" || word === "identity") return undefined;
  const { createBrotliDecompress, createGunzip, createInflate } = await import("node:zlib");
  if (word === "gzip" || word === "x-gzip") return createGunzip();
  if (word === "deflate") return createInflate();
  if (word === "br") return createBrotliDecompress();
  throw new BronError("invalid_input", `The page is packed as ${JSON.stringify(encoding)}, which is not understood.`);
}
