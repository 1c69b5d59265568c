import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { respond } from "./respond.ts";

test.each([
  ["hangs before its first byte", { hang: "before" }],
  ["hangs in the middle", { hang: "middle" }],
  ["is endless", { endless: true }],
] as const)("a response that %s ends when the client disconnects", async (_, planned) => {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    const limits = { promptBytes: 0, includeThoughts: true };
    const options = { isStream: true, chunkDelayMs: 0, someFunction: "x", limits };
    resolve(respond(response, planned, options));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const leaving = new AbortController();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const reading = fetch(url, { signal: leaving.signal }).then((response) => response.text());
  await once(server, "request");
  leaving.abort();
  await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  await ended;
  server.close();
});
