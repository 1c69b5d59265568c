import { BronError } from "@bron/core";
import { isLoopback } from "./expand-variables.ts";

const maxResponseBytes = 1024 * 1024;
const timeoutMs = 15_000;

/**
 * A fetch for addresses that the server names. They must be https, except that a server on this
 * computer may name others on it. It follows no redirect and reads a limited amount.
 */
export function guardedFetch(inner: typeof fetch, serverUrl: string) {
  return async (url: string | URL, init?: RequestInit): Promise<Response> => {
    checkAddress(new URL(url), serverUrl);
    const response = await inner(url, {
      ...init,
      redirect: "manual",
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (Number(response.headers.get("content-length") ?? 0) > maxResponseBytes)
      throw new BronError("tool_failed", "The sign-in server sent too much.");
    const bytes = await readBounded(response);
    const { status, statusText, headers } = response;
    const hasNoBody = status === 204 || status === 304 || status < 200;
    return new Response(hasNoBody ? null : bytes, { status, statusText, headers });
  };
}

async function readBounded(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maxResponseBytes)
      throw new BronError("tool_failed", "The sign-in server sent too much.");
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

export function checkAddress(url: URL, serverUrl: string): void {
  const isLocal = isLoopback(new URL(serverUrl).hostname);
  const isNumeric = /^(?:\d+\.){3}\d+$|^\[/.test(url.hostname);
  if (isLocal && isLoopback(url.hostname)) return;
  if (url.protocol === "https:" && !isNumeric && !isLoopback(url.hostname)) return;
  throw new BronError(
    "forbidden",
    `Its sign-in uses the address ${url.origin}, which is not allowed.`,
  );
}
