import { actionFailure, BronError } from "@bron/core";
import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";

/**
 * Reads and decompresses at most `maxBytes`. Rejects a larger body, however small its compressed
 * form is.
 */
export async function readBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const declared = Number(response.headers["content-length"] ?? 0);
  const tooLarge = () =>
    actionFailure("too_large", { code: "page_too_large", limitBytes: maxBytes });
  if (declared > maxBytes) {
    response.destroy();
    throw tooLarge();
  }
  let stream: Readable = response;
  const stop = () => stream.destroy(actionFailure("tool_timeout", { code: "page_timed_out" }));
  signal.addEventListener("abort", stop, { once: true });
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    const decoder = await decoderFor(response);
    if (decoder) {
      stream = response.pipe(decoder);
      // A pipe does not forward errors.
      response.once("error", (error) => stream.destroy(error));
    }
    for await (const chunk of stream) {
      size += (chunk as Buffer).length;
      if (size > maxBytes) throw tooLarge();
      chunks.push(chunk as Buffer);
    }
    return new Uint8Array(Buffer.concat(chunks));
  } catch (error) {
    if (BronError.is(error)) throw error;
    throw actionFailure("tool_failed", { code: "page_cut_off" }, { cause: error });
  } finally {
    signal.removeEventListener("abort", stop);
    response.destroy();
    stream.destroy();
  }
}

async function decoderFor(response: IncomingMessage): Promise<Transform | undefined> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  const word = encoding.trim().toLowerCase();
  if (word === "" || word === "identity") return undefined;
  const { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } =
    await import("node:zlib");
  if (word === "gzip" || word === "x-gzip") return createGunzip();
  if (word === "deflate") {
    const first = await firstByte(response);
    // The standard requires zlib's header, but many servers send the raw stream, whose first byte
    // never looks like that header.
    return first === undefined
      ? undefined
      : (first & 0x0f) === 8
        ? createInflate()
        : createInflateRaw();
  }
  if (word === "br") return createBrotliDecompress();
  throw actionFailure("invalid_input", { code: "page_encoding_unsupported", encoding });
}

/**
 * Peeks at the first byte. Undefined if the body is empty or was cut off, which the reader notices
 * later.
 */
async function firstByte(response: IncomingMessage): Promise<number | undefined> {
  if (!response.readableEnded && !response.destroyed) {
    await new Promise<unknown>((resolve) => {
      for (const sign of ["readable", "end", "error", "close"]) response.once(sign, resolve);
    });
  }
  const first: unknown = response.read(1);
  if (!Buffer.isBuffer(first)) return undefined;
  response.unshift(first);
  return first[0];
}
