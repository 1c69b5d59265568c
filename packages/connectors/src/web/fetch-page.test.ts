import { BronError } from "@bron/core";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { deflateRawSync, deflateSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { isPublicAddress } from "./allowed-address.ts";
import { checkUrl } from "./check-url.ts";
import { fetchPage } from "./fetch-page.ts";

const html = { "content-type": "text/html" };

async function serve(
  page: (request: IncomingMessage, response: ServerResponse) => void,
  timeoutMs = 5_000,
) {
  const asked: string[] = [];
  let connections = 0;
  let open = 0;
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    page(request, response);
  });
  server.on("connection", (socket) => {
    connections++;
    open++;
    socket.once("close", () => open--);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const get = async (path = "/") =>
    await fetchPage(
      `http://${host}${path}`,
      { maxBytes: 100_000, timeoutMs, alsoAllow: new Set([host]) },
      new AbortController().signal,
    );
  const codeOf = async () =>
    await get().then(
      () => "fetched",
      (error: unknown) => (BronError.is(error) ? error.code : String(error)),
    );
  return { get, codeOf, asked, connections: () => connections, open: () => open };
}

describe("fetching a page", () => {
  it("BR12 checks the status before the type", async () => {
    const { get, open } = await serve((_, response) => response.writeHead(404).write("none"));
    expect(await get()).toMatchObject({ status: 404, bytes: new Uint8Array() });
    await expect.poll(open).toBe(0);
  });

  it("BR12 closes the connection of an unsupported type", async () => {
    const { codeOf, open } = await serve((_, response) =>
      response.writeHead(200, { "content-type": "video/mp4" }).write("x".repeat(1_000)),
    );
    expect(await codeOf()).toBe("invalid_input");
    await expect.poll(open).toBe(0);
  });

  it("BR12 rejects a declared size before reading the body", async () => {
    const { codeOf, open } = await serve((_, response) =>
      response.writeHead(200, { ...html, "content-length": "100001" }).flushHeaders(),
    );
    expect(await codeOf()).toBe("too_large");
    await expect.poll(open).toBe(0);
  });

  it.each([
    ["with zlib's header", deflateSync("<p>packed</p>"), "<p>packed</p>"],
    ["without it", deflateRawSync("<p>packed</p>"), "<p>packed</p>"],
    ["with an empty body", deflateRawSync(""), ""],
  ])("BR12 decodes deflate %s", async (_, packed, text) => {
    const { get } = await serve((__, response) =>
      response.writeHead(200, { ...html, "content-encoding": "deflate" }).end(packed),
    );
    expect(Buffer.from((await get()).bytes).toString()).toBe(text);
  });

  it.each([
    ["is empty", (response: ServerResponse) => response.end(), "fetched"],
    ["never comes", (response: ServerResponse) => response.flushHeaders(), "tool_timeout"],
    ["is cut off", (response: ServerResponse) => response.socket?.destroy(), "tool_failed"],
  ])("BR12 does not hang when a compressed body %s", async (_, end, code) => {
    const { codeOf } = await serve(
      (__, response) =>
        end(
          response.writeHead(200, {
            ...html,
            "content-encoding": "deflate",
            "transfer-encoding": "chunked",
          }),
        ),
      300,
    );
    expect(await codeOf()).toBe(code);
  });

  it("BR12 gives up after five redirects", async () => {
    const { codeOf, asked } = await serve((_, response) =>
      response.writeHead(302, { location: "/round" }).end(),
    );
    expect(await codeOf()).toBe("tool_failed");
    expect(asked).toHaveLength(6);
  });

  it("BR12 uses a new connection to an address that was checked for it", async () => {
    const { get, connections } = await serve((_, response) =>
      response.writeHead(200, html).end("x"),
    );
    await get();
    await get();
    expect(connections()).toBe(2);
  });
});

describe("allowed addresses", () => {
  it.each([
    "192.0.0.1",
    "192.0.0.170",
    "198.18.0.1",
    "198.19.255.255",
    "192.0.2.1",
    "192.88.99.1",
    "198.51.100.7",
    "203.0.113.7",
    "240.0.0.1",
  ])("BR12 exclude %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(["192.0.1.1", "198.17.255.255", "198.20.0.0", "203.0.114.1"])(
    "include the neighboring %s",
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  it.each([
    "https://user@example.com/",
    "https://:password@example.com/",
    "http://printer/",
    "http://printer./",
    "http://nas.lan/",
    "http://nas.home/",
    "http://wiki.corp/",
    "http://wiki.intranet/",
    "http://x.localdomain/",
    "http://x.onion/",
  ])("BR12 exclude %s", (url) => {
    expect(() => checkUrl(url)).toThrow(expect.objectContaining({ code: "forbidden" }));
  });

  it("include names that only contain such labels", () => {
    for (const url of [
      "https://lan.example.com/",
      "https://homecorp.com/",
      "https://corp.example.org/",
    ])
      expect(checkUrl(url).href).toBe(url);
  });
});
