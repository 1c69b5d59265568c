import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { findLocalModels } from "./local-models.ts";

async function serve(respond: RequestListener): Promise<number> {
  const server = createServer(respond);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A server with OpenAI's list of models, and nothing else. */
const listing =
  (data: unknown): RequestListener =>
  ({ url, method }, response) =>
    url === "/v1/models" && method === "GET"
      ? response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ object: "list", data }))
      : response.writeHead(404).end();
const model = (id: string, ownedBy = "library") => ({ id, object: "model", owned_by: ownedBy });

it("finds the servers that respond, with the models that can answer", async () => {
  const [ollama, lmstudio, llamacpp] = await Promise.all([
    serve(listing([model("llama3.2:latest"), model("nomic-embed-text:latest")])),
    serve(listing([model("qwen/qwen3-8b"), model("bad name; price=0")])),
    serve(listing([model("gemma-3.gguf", "llamacpp")])),
  ]);
  expect(await findLocalModels({ ollama, lmstudio, llamacpp })).toEqual([
    { id: "ollama", url: `http://127.0.0.1:${ollama}/v1`, models: ["llama3.2:latest"] },
    { id: "lmstudio", url: `http://127.0.0.1:${lmstudio}/v1`, models: ["qwen/qwen3-8b"] },
    { id: "llamacpp", url: `http://127.0.0.1:${llamacpp}/v1`, models: ["gemma-3.gguf"] },
  ]);
});

it("finds a server that has no model yet", async () => {
  const ollama = await serve(listing(null));
  expect(await findLocalModels({ ollama })).toMatchObject([{ id: "ollama", models: [] }]);
});

it("takes no other program for a model server", async () => {
  const page: RequestListener = (_, response) => response.end("<!doctype html><h1>Jenkins</h1>");
  const anyJson: RequestListener = (_, response) => response.end(JSON.stringify({ data: [] }));
  const redirect: RequestListener = (_, response) =>
    response.writeHead(302, { location: "http://127.0.0.1:1/v1/models" }).end();
  const tooLong: RequestListener = (_, response) => response.end(`"${"x".repeat(1_100_000)}"`);
  for (const respond of [
    page,
    anyJson,
    redirect,
    tooLong,
    listing([{ id: "a" }]),
    listing([{ id: 1, object: "model" }]),
  ]) {
    const ollama = await serve(respond);
    expect(await findLocalModels({ ollama })).toEqual([]);
  }
  // The same list counts on the port of Ollama, and not on one that everyone uses.
  const port = await serve(listing([model("some-model")]));
  expect(await findLocalModels({ llamacpp: port })).toEqual([]);
  expect(await findLocalModels({ ollama: port })).toHaveLength(1);
});

it("gives up on a server that does not answer", async () => {
  const silent = await serve(() => undefined);
  const startedAt = performance.now();
  expect(await findLocalModels({ ollama: silent })).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

it("finds nothing where nothing listens", async () => {
  const port = await serve(() => undefined);
  expect(await findLocalModels({})).toEqual([]);
  expect(await findLocalModels({ lmstudio: port === 1 ? 2 : 1 })).toEqual([]);
});
