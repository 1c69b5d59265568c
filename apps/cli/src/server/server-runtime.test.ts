import { proofHeader, serverIdHeader } from "@bron/protocol";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tempFolder } from "@bron/testing";
import type { ServerEntry } from "./home-claim.ts";
import { homeSign } from "./home-sign.ts";
import { serverRuntime } from "./server-runtime.ts";

/** A home with a fake server, and the requests that it received. */
async function homeWith(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const home = await tempFolder();
  const entry: ServerEntry = {
    id: "dead-one",
    pid: 4_000_000,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    startedAt: "2026-11-15T12:00:00.000Z",
  };
  await writeFile(join(home, "server.json"), JSON.stringify(entry));
  await writeFile(join(home, "secret-key"), "a secret of this home alone\n");
  const sign = await homeSign({ home });
  return { asked, home, sign: sign! };
}

test.each([
  ["knows its id", {}],
  ["makes up a proof", { [proofHeader]: "x".repeat(43) }],
])("sends nothing to a program that took a dead server's port and %s", async (_, headers) => {
  const { asked, home, sign } = await homeWith((_request, response) =>
    response.writeHead(200, { [serverIdHeader]: "dead-one", ...headers }).end("{}"),
  );
  const client = serverRuntime({ home, sign });
  const creating = client.call("POST /api/runs", { body: { prompt: "a secret task" } });
  await expect(creating).rejects.toMatchObject({
    code: "secret_key_changed",
  });
  await expect(client.events("some-run").next()).rejects.toMatchObject({
    code: "secret_key_changed",
  });
  expect(asked).toEqual(["GET /healthz", "GET /healthz"]);
});

test("a home without a server is unreachable", async () => {
  const client = serverRuntime({ home: await tempFolder(), sign: () => "" });
  const stopping = client.call("POST /api/stop");
  await expect(stopping).rejects.toMatchObject({
    code: "server_unreachable",
  });
});
