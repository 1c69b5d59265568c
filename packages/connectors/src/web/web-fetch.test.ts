import { BronError, noLabels, type ToolContext } from "@bron/core";
import fc from "fast-check";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isPublicAddress } from "./allowed-address.ts";
import { checkUrl } from "./check-url.ts";
import { fetchPage, type FetchRules, type Resolve } from "./fetch-page.ts";
import { webFetchTool } from "./web-fetch.ts";

const pages: Record<string, RequestListener> = {};
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? "");
  const page = pages[(request.url ?? "").split("?")[0] ?? ""];
  if (page) page(request, response);
  else response.writeHead(404, { "content-type": "text/plain" }).end("none");
});
let host = "";
let rules: FetchRules;

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  rules = { maxBytes: 100_000, timeoutMs: 2_000, alsoAllow: new Set([host]) };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (path: string, more: Partial<FetchRules> = {}, signal = new AbortController().signal) =>
  fetchPage(`http://${host}${path}`, { ...rules, ...more }, signal);
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "fetched",
    (error: unknown) => (BronError.is(error) ? error.code : String(error)),
  );
const html = { "content-type": "text/html; charset=utf-8" };

describe("allowed URLs", () => {
  it("BR12 are public, in whatever notation a private address is written", () => {
    const inside = [
      "127.0.0.1",
      "127.1.2.3",
      "10.0.0.1",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "0.0.0.0",
      "224.0.0.1",
      "255.255.255.255",
      "::1",
      "::",
      "fe80::1",
      "fe80::1%eth0",
      "fc00::1",
      "fd12::1",
      "ff02::1",
      "::ffff:127.0.0.1",
      "::ffff:10.0.0.1",
      "::ffff:7f00:1",
      "64:ff9b::7f00:1",
      "2002:7f00:1::",
      "2001::1",
      "2001:db8::1",
      "100::1",
      "::127.0.0.1",
    ];
    expect(inside.filter(isPublicAddress)).toEqual([]);
    const outside = [
      "8.8.8.8",
      "1.1.1.1",
      "172.32.0.1",
      "172.15.0.1",
      "192.167.0.1",
      "100.128.0.1",
      "2606:4700:4700::1111",
      "2a00:1450:4001::1",
    ];
    expect(outside.filter((address) => !isPublicAddress(address))).toEqual([]);
  });

  it("BR12 never include a private address in any IPv6 form (any address)", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    const inside4 = fc.oneof(
      fc.tuple(fc.constant(10), byte, byte, byte),
      fc.tuple(fc.constant(127), byte, byte, byte),
      fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
    );
    fc.assert(
      fc.property(inside4, (bytes) => {
        const dotted = bytes.join(".");
        const hex = `${((bytes[0] << 8) | bytes[1]).toString(16)}:${((bytes[2] << 8) | bytes[3]).toString(16)}`;
        for (const form of [
          dotted,
          `::ffff:${dotted}`,
          `::ffff:${hex}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::1`,
          `::${dotted}`,
        ])
          expect(isPublicAddress(form)).toBe(false);
      }),
    );
  });

  it("BR12 are rejected with a reason for odd notations, local names, ports, schemes and passwords", () => {
    const refused = [
      "http://localhost/",
      "http://LOCALHOST./",
      "http://127.1/",
      "http://0x7f000001/",
      "http://2130706433/",
      "http://017700000001/",
      "http://[::1]/",
      "http://[::ffff:127.0.0.1]/",
      "http://printer.local/",
      "http://metadata.google.internal/",
      "http://intranet/",
      "https://user:pass@example.com/",
      "https://example.com:8443/",
      "ftp://example.com/",
      "file:///etc/passwd",
      "gopher://example.com/",
      "javascript:alert(1)",
      "data:text/html,x",
      "http://①②⑦.⓪.⓪.①/",
      "http://router.home.arpa/",
    ];
    for (const url of refused)
      expect(() => checkUrl(url), url).toThrow(/public internet|Only|password/);
    for (const url of ["", "x", "//example.com", `https://example.com/${"a".repeat(3_000)}`])
      expect(() => checkUrl(url)).toThrow("is not a URL");
    expect(checkUrl("https://example.com/a?b=c").href).toBe("https://example.com/a?b=c");
  });

  it("BR12 are checked by what the name resolves to when connecting", async () => {
    const resolving =
      (...addresses: string[]): Resolve =>
      (_, __, callback) =>
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
        );
    const before = asked.length;
    for (const resolve of [
      resolving("127.0.0.1"),
      resolving("8.8.8.8", "10.0.0.1"),
      resolving("::ffff:127.0.0.1"),
      resolving(),
    ]) {
      expect(
        await codeOf(
          fetchPage(
            "http://rebind.example.com/",
            { maxBytes: 1_000, timeoutMs: 2_000, resolve },
            new AbortController().signal,
          ),
        ),
      ).toBe("forbidden");
    }
    expect(asked.length).toBe(before);
  });
});

describe("fetching a page", () => {
  it("BR12 returns its type and decoded body", async () => {
    pages["/page"] = (_, response) => response.writeHead(200, html).end("<p>Hello</p>");
    pages["/gzip"] = (_, response) =>
      response
        .writeHead(200, { ...html, "content-encoding": "gzip" })
        .end(gzipSync("<p>packed</p>"));
    pages["/br"] = (_, response) =>
      response
        .writeHead(200, { ...html, "content-encoding": "br" })
        .end(brotliCompressSync("<p>packed</p>"));
    const page = await get("/page");
    expect({ ...page, bytes: Buffer.from(page.bytes).toString() }).toMatchObject({
      status: 200,
      mediaType: "text/html",
      charset: "utf-8",
      bytes: "<p>Hello</p>",
      hops: [host],
    });
    for (const path of ["/gzip", "/br"])
      expect(Buffer.from((await get(path)).bytes).toString()).toBe("<p>packed</p>");
  });

  it("BR12 checks every redirect again", async () => {
    pages["/inside"] = (_, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end();
    pages["/file"] = (_, response) =>
      response.writeHead(302, { location: "file:///etc/passwd" }).end();
    pages["/round"] = (_, response) => response.writeHead(302, { location: "/round" }).end();
    pages["/twice"] = (_, response) => response.writeHead(301, { location: "/page" }).end();
    pages["/elsewhere"] = (_, response) =>
      response.writeHead(302, { location: "https://elsewhere.example.com/?d=61000" }).end();
    await expect(get("/elsewhere")).rejects.toThrow(
      "redirects to another host: https://elsewhere.example.com/?d=61000",
    );
    expect(await codeOf(get("/inside"))).toBe("forbidden");
    expect(await codeOf(get("/file"))).toBe("forbidden");
    expect(await codeOf(get("/round"))).toBe("tool_failed");
    expect((await get("/twice")).url).toBe(`http://${host}/page`);
  });

  it("BR12 rejects a page that is too large, compressed or not, declared or not", async () => {
    pages["/declared"] = (_, response) =>
      response.writeHead(200, { ...html, "content-length": "500000" }).end("x".repeat(500_000));
    pages["/endless"] = (_, response) => {
      response.writeHead(200, html);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(10_000)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    };
    pages["/bomb"] = (_, response) =>
      response
        .writeHead(200, { ...html, "content-encoding": "gzip" })
        .end(gzipSync(Buffer.alloc(20_000_000)));
    for (const path of ["/declared", "/endless", "/bomb"])
      expect(await codeOf(get(path)), path).toBe("too_large");
  });

  it("BR12 rejects a page that is unreadable, too slow, cut off or missing", async () => {
    pages["/program"] = (_, response) =>
      response.writeHead(200, { "content-type": "application/octet-stream" }).end("x");
    pages["/silent"] = () => undefined;
    pages["/drip"] = (_, response) => void response.writeHead(200, html).write("x");
    pages["/cut"] = (_, response) => {
      response.writeHead(200, { ...html, "content-length": "100" }).write("x");
      setImmediate(() => response.destroy());
    };
    expect(await codeOf(get("/program"))).toBe("invalid_input");
    expect(await codeOf(get("/silent", { timeoutMs: 200 }))).toBe("tool_timeout");
    expect(await codeOf(get("/drip", { timeoutMs: 200 }))).toBe("tool_timeout");
    expect(await codeOf(get("/cut"))).toBe("tool_failed");
  });

  it("ends when its caller aborts", async () => {
    const stop = new AbortController();
    const reason = new Error("stopped");
    const fetching = get("/silent", {}, stop.signal);
    stop.abort(reason);
    await expect(fetching).rejects.toBe(reason);
  });
});

describe("web_fetch", () => {
  const saved: string[] = [];
  const context: ToolContext = {
    runId: "r",
    ownerId: "o",
    actionId: "a",
    bronId: "bron",
    place: null,
    labels: () => Promise.resolve(noLabels),
    maxAttachmentBytes: 1_000,
    signal: new AbortController().signal,
    log: () => undefined,
    showCard: () => undefined,
    saveArtifact: ({ name }) => {
      saved.push(name);
      return Promise.resolve({ artifactId: "1", digest: "sha256:1" });
    },
    readArtifact: () => Promise.resolve(undefined),
    readOutput: () => Promise.resolve(undefined),
    readSkill: () => Promise.resolve(undefined),
    writersOf: () => Promise.resolve([]),
    reportProgress: () => undefined,
  };
  const effect = {
    ...context,
    effectId: "e",
    attempt: 1,
    requireApproval: () => Promise.resolve(),
    evidence: undefined,
    ask: () => Promise.resolve(undefined),
    keepEvidence: () => Promise.resolve(),
    keepPrevious: () => Promise.resolve(),
  };

  it("BR12 saves the page, marks it as untrusted and names its host", async () => {
    const tool = webFetchTool({
      read: ({ bytes }) => Promise.resolve({ text: Buffer.from(bytes).toString() }),
      alsoAllow: new Set([host]),
    });
    expect(await tool.execute({ url: `http://${host}/page` }, effect)).toMatchObject({
      untrusted: true,
      host,
      digest: "sha256:1",
      text: "<p>Hello</p>",
    });
    expect(saved).toHaveLength(1);
    await expect(tool.execute({ url: `http://${host}/none` }, effect)).rejects.toThrow(
      "returned status 404",
    );
    for (const status of [204, 304]) {
      pages["/empty"] = (_, response) => response.writeHead(status).end();
      await expect(tool.execute({ url: `http://${host}/empty` }, effect)).rejects.toThrow(
        `returned status ${status} without a page`,
      );
    }
  });

  it("X8 contacts only the gateway in the demo and still rejects private addresses", async () => {
    pages["/web"] = (request, response) =>
      response
        .writeHead(200, html)
        .end(`<p>${new URL(request.url ?? "", "http://x").searchParams.get("url") ?? ""}</p>`);
    const tool = webFetchTool({
      read: ({ bytes }) => Promise.resolve({ text: Buffer.from(bytes).toString() }),
      gateway: `http://${host}/web`,
    });
    expect(await tool.execute({ url: "https://shop.example.com/a?b=c" }, effect)).toMatchObject({
      host: "shop.example.com",
      text: "<p>https://shop.example.com/a?b=c</p>",
    });
    // The request uses the URL in its checked form, not as it was written.
    expect(
      await tool.execute({ url: "HTTPS://SHOP.example.com:443/x/../a#part" }, effect),
    ).toMatchObject({
      url: "https://shop.example.com/a#part",
      text: "<p>https://shop.example.com/a#part</p>",
    });
    await expect(tool.execute({ url: `http://${host}/page` }, effect)).rejects.toThrow(
      /ports|public internet/,
    );
  });
});
