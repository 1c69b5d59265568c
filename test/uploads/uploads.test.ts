import { createClient, httpTransport } from "@bron/client";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { tinyPdf } from "./tiny-pdf.ts";
import { createUploadHarness, type Announced, type UploadHarness } from "./upload-harness.ts";

const digestOf = (bytes: Uint8Array | string) =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

describe("uploads", () => {
  let harness: UploadHarness;
  beforeAll(async () => {
    harness = await createUploadHarness(inject("postgresUrl"));
  });
  afterAll(() => harness.close());

  /** Checks that neither a digest nor bytes were stored, and that the token still works. */
  const expectNothingStored = async (announced: Announced, good: string) => {
    expect((await harness.get(`/api/uploads/${announced.id}`)).json).toMatchObject({
      id: announced.id,
      digest: null,
    });
    expect(await harness.query("select 1 from blobs")).toEqual([]);
    expect(await harness.post("/api/uploads/complete", { uploadId: announced.id })).toMatchObject({
      status: 409,
      json: { code: "conflict" },
    });
    expect(await harness.put(announced, good)).toMatchObject({
      status: 200,
      json: { digest: digestOf(good) },
    });
    await harness.query("delete from uploads");
    await harness.query("delete from blobs");
  };

  it("BR9 are announced, sent with their token alone, and then complete", async () => {
    const announcement = await harness.post("/api/uploads/token", {
      filename: "Übersicht 1.txt",
      contentType: "text/plain",
      sizeBytes: 5,
    });
    expect(announcement).toMatchObject({
      status: 201,
      json: {
        upload: {
          filename: "Übersicht 1.txt",
          contentType: "text/plain",
          sizeBytes: 5,
          digest: null,
          runId: null,
        },
      },
    });
    const { upload, token, url, expiresAt } = announcement.json as unknown as {
      upload: { id: string };
      token: string;
      url: string;
      expiresAt: string;
    };
    const leftMs = Date.parse(expiresAt) - Date.now();
    expect(leftMs).toBeGreaterThan(9 * 60_000);
    expect(leftMs).toBeLessThan(10 * 60_000 + 5_000);
    expect(await harness.post("/api/uploads/complete", { uploadId: upload.id })).toMatchObject({
      status: 409,
    });
    const put = await harness.put({ id: upload.id, token, url }, "hello");
    expect(put).toMatchObject({
      status: 200,
      json: { id: upload.id, digest: digestOf("hello"), runId: null },
    });
    expect(await harness.post("/api/uploads/complete", { uploadId: upload.id })).toMatchObject({
      status: 200,
      json: put.json,
    });
    expect(await harness.get(`/api/uploads/${upload.id}`)).toMatchObject({
      status: 200,
      json: put.json,
    });
    await harness.query("delete from uploads");
    await harness.query("delete from blobs");
  });

  it("BR9 are sent by the client in one call", async () => {
    const { token } = await harness.runtime.tokens.create("eva", {
      name: "client",
      scopes: ["read", "run"],
    });
    const client = createClient({
      transport: httpTransport({ url: harness.server.url, authorize: () => `Bearer ${token}` }),
    });
    const bytes = Buffer.alloc(3 * 1024 * 1024, "a line of text\n");
    const upload = await client.upload({
      filename: "big.txt",
      contentType: "text/plain",
      bytes: new Blob([bytes]),
    });
    expect(upload).toMatchObject({ digest: digestOf(bytes), sizeBytes: bytes.length });
    expect(
      Buffer.from(await harness.runtime.clientFor("eva").readArtifact(upload.digest ?? "")).equals(
        bytes,
      ),
    ).toBe(true);
    await harness.query("delete from uploads");
    await harness.query("delete from blobs");
  });

  it("BR9 are never larger or smaller than announced, whatever the headers say", async () => {
    const announced = await harness.announce({ sizeBytes: 5 });
    expect(await harness.put(announced, "hello!")).toMatchObject({
      status: 413,
      json: { code: "too_large" },
    });
    expect(await harness.put(announced, "hell")).toMatchObject({
      status: 400,
      json: {
        code: "invalid_input",
        detail: expect.stringContaining("before all of its 5 B arrived"),
        why: { code: "upload_cut_off", sizeBytes: 5 },
      },
    });
    expect(await harness.put(announced, "")).toMatchObject({ status: 400 });
    const endless = harness.startPut(announced, { "transfer-encoding": "chunked" });
    for (let times = 0; times < 20; times++) endless.sent.write("x".repeat(1_000));
    expect(await endless.responseStatus).toBe(413);
    endless.sent.destroy();
    await expectNothingStored(announced, "hello");
  });

  it("BR9 may have 20 MB, and are refused above that before anything is sent", async () => {
    const maxBytes = 20 * 1024 * 1024;
    expect(
      await harness.post("/api/uploads/token", {
        filename: "a.txt",
        contentType: "text/plain",
        sizeBytes: maxBytes,
      }),
    ).toMatchObject({ status: 201 });
    expect(
      await harness.post("/api/uploads/token", {
        filename: "a.txt",
        contentType: "text/plain",
        sizeBytes: maxBytes + 1,
      }),
    ).toMatchObject({ status: 413, json: { code: "too_large" } });
    for (const sizeBytes of [0, -1, 1.5, "5", null])
      expect(
        await harness.post("/api/uploads/token", {
          filename: "a.txt",
          contentType: "text/plain",
          sizeBytes,
        }),
      ).toMatchObject({ status: 400 });
  });

  it("BR9 leave nothing behind when they are cut off", async () => {
    const announced = await harness.announce({ sizeBytes: 10_000 });
    const { sent, responseStatus } = harness.startPut(announced, { "content-length": "10000" });
    sent.write("x".repeat(9_000));
    await new Promise((resolve) => sent.socket?.once("drain", resolve) ?? resolve(undefined));
    sent.destroy();
    await expect(responseStatus).rejects.toThrow();
    await expectNothingStored(announced, "y".repeat(10_000));
  });

  it("BR9 are aborted when they are too slow, and leave nothing behind", async () => {
    const announced = await harness.announce({ sizeBytes: 100 });
    const silent = harness.startPut(announced, { "content-length": "100" });
    silent.sent.write("some");
    expect(await silent.responseStatus).toBe(408);
    silent.sent.destroy();
    // The client is never silent for long, and never finishes.
    const dripping = harness.startPut(announced, { "content-length": "100" });
    const drip = setInterval(() => dripping.sent.write("x"), 200);
    expect(await dripping.responseStatus).toBe(408);
    clearInterval(drip);
    dripping.sent.destroy();
    await expectNothingStored(announced, "z".repeat(100));
  });

  it("BR9 are accepted only with their own token, in time, and once", async () => {
    const [one, other] = [
      await harness.announce({ sizeBytes: 5 }),
      await harness.announce({ sizeBytes: 5 }),
    ];
    const [text = "", signature = ""] = one.token.split(".");
    const changed = Buffer.from(
      JSON.stringify({
        ...(JSON.parse(Buffer.from(text, "base64url").toString()) as object),
        ownerId: "max",
      }),
    ).toString("base64url");
    for (const token of [
      other.token,
      "",
      "x",
      `${text}.`,
      `${text}.${signature.slice(0, -2)}xx`,
      `${changed}.${signature}`,
      `.${signature}`,
    ]) {
      expect(
        await harness.put({ ...one, url: `/api/uploads/${one.id}?token=${token}` }, "hello"),
        token,
      ).toMatchObject({ status: 403, json: { code: "forbidden" } });
    }
    expect(await harness.put({ ...one, url: `/api/uploads/${one.id}` }, "hello")).toMatchObject({
      status: 400,
    });
    expect(
      await harness.put(
        { ...one, url: `/api/uploads/${one.id}?token=${"x".repeat(1_001)}` },
        "hello",
      ),
    ).toMatchObject({ status: 400 });
    await harness.query(
      "update uploads set expires_at = clock_timestamp() - interval '1 second' where id = $1",
      [one.id],
    );
    expect(await harness.put(one, "hello")).toMatchObject({
      status: 403,
      json: { detail: expect.stringContaining("expired"), why: { code: "upload_token_expired" } },
    });
    expect(await harness.query("select 1 from blobs")).toEqual([]);
    const responses = await Promise.all(
      ["hello", "world", "hello", "again"].map((body) => harness.put(other, body)),
    );
    expect(responses.map(({ status }) => status).toSorted((low, high) => low - high)).toEqual([
      200, 409, 409, 409,
    ]);
    expect(await harness.put(other, "hello")).toMatchObject({
      status: 409,
      json: { code: "conflict" },
    });
    await harness.query("delete from uploads");
    await harness.query("delete from blobs");
  });

  it("BR9 are refused from a page of another origin, even with their token", async () => {
    const announced = await harness.announce({ sizeBytes: 5 });
    for (const headers of [
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { host: "evil.example" },
    ]) {
      expect(
        (await harness.put(announced, "hello", headers)).status,
        JSON.stringify(headers),
      ).toBeGreaterThanOrEqual(403);
    }
    const preflight = await fetch(`${harness.server.url}${announced.url}`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "PUT" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([
      403,
      null,
    ]);
    await expectNothingStored(announced, "hello");
  });

  it("BR9 match their announced type, or are refused with the detected type", async () => {
    const pdf = tinyPdf(["Total 5"]);
    const program = Buffer.concat([
      Buffer.from("MZ\x90\x00\x03", "latin1"),
      Buffer.alloc(300_000, 1),
    ]);
    const cases: readonly (readonly [string, Uint8Array, RegExp])[] = [
      ["text/plain", pdf, /declared type is text\/plain, but the file is a PDF/],
      ["application/pdf", Buffer.from("only words"), /but the file is plain text/],
      ["application/pdf", program, /binary file of an unknown type/],
      ["text/csv", Buffer.from("PK\x03\x04 and so on", "latin1"), /The archive is damaged/],
      ["image/png", pdf, /but the file is a PDF/],
    ];
    for (const [contentType, bytes, words] of cases) {
      const announced = await harness.announce({ contentType, sizeBytes: bytes.length });
      expect(await harness.put(announced, bytes), contentType).toMatchObject({
        status: 400,
        json: { code: "invalid_input", detail: expect.stringMatching(words) },
      });
    }
    for (const contentType of ["application/octet-stream", "application/x-sh", "application/zip"])
      expect(
        await harness.post("/api/uploads/token", { filename: "a", contentType, sizeBytes: 5 }),
      ).toMatchObject({
        status: 400,
        json: { detail: expect.stringContaining("aren't supported") },
      });
    expect(await harness.query("select 1 from blobs")).toEqual([]);
    await harness.upload({ filename: "a.pdf", contentType: "application/pdf", bytes: pdf });
  });

  it("BR9 are refused by their first bytes, long before their end", async () => {
    const announced = await harness.announce({ sizeBytes: 20 * 1024 * 1024 });
    const { sent, responseStatus } = harness.startPut(announced, {
      "content-length": String(20 * 1024 * 1024),
    });
    sent.write(Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(20_000, 0x20)]));
    expect(await responseStatus).toBe(400);
    sent.destroy();
  });

  it("BR9 use memory only within the limit, and release it however they end", async () => {
    const sizeBytes = 20 * 1024 * 1024;
    const announced = await Promise.all(
      Array.from({ length: 13 }, () => harness.announce({ sizeBytes })),
    );
    const started = announced.map((one) =>
      harness.startPut(one, { "content-length": String(sizeBytes) }),
    );
    const drip = setInterval(() => started.forEach(({ sent }) => sent.write("x")), 100);
    expect(await Promise.race(started.map(({ responseStatus }) => responseStatus))).toBe(429);
    clearInterval(drip);
    for (const { sent } of started) sent.destroy();
    await expect
      .poll(
        async () => (await harness.put(await harness.announce({ sizeBytes: 5 }), "hello")).status,
        {
          timeout: 5_000,
        },
      )
      .toBe(200);
    const all = await Promise.all(
      announced
        .slice(0, 2)
        .map((one) => harness.put(one, Buffer.alloc(sizeBytes, "words and words "))),
    );
    expect(all.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("BR9 have names without folders, control characters or characters that break a header", async () => {
    for (const filename of [
      "../a.txt",
      "a/b.txt",
      "a\\b.txt",
      "/etc/passwd",
      "..",
      ".",
      "",
      "a\r\nSet-Cookie: x=1",
      "a\0.txt",
      "a\u0085b",
      "x".repeat(256),
      5,
    ]) {
      expect(
        await harness.post("/api/uploads/token", {
          filename,
          contentType: "text/plain",
          sizeBytes: 5,
        }),
        String(filename),
      ).toMatchObject({ status: 400, json: { code: "invalid_input" } });
    }
    for (const contentType of [
      "text",
      "text/plain\r\nx: y",
      "text/plain; charset=utf-8",
      "../etc",
      "text//plain",
      "",
    ]) {
      expect(
        await harness.post("/api/uploads/token", { filename: "a.txt", contentType, sizeBytes: 5 }),
        contentType,
      ).toMatchObject({ status: 400, json: { code: "invalid_input" } });
    }
    expect(
      await harness.post("/api/uploads/token", {
        filename: "a.txt",
        contentType: "text/plain",
        sizeBytes: 5,
        ownerId: "max",
      }),
    ).toMatchObject({ status: 400 });
  });

  it("BR9 RT12 of another owner do not exist, whatever the request", async () => {
    const theirs = await harness.upload({ bytes: "private" }, "max");
    expect(await harness.get(`/api/uploads/${theirs}`)).toMatchObject({ status: 404 });
    expect(await harness.post("/api/uploads/complete", { uploadId: theirs })).toMatchObject({
      status: 404,
    });
    expect(
      await harness.post("/api/runs", { prompt: "read it", uploadIds: [theirs] }),
    ).toMatchObject({
      status: 404,
    });
    expect(await harness.get(`/api/artifacts/${digestOf("private")}`)).toMatchObject({
      status: 404,
    });
    expect((await harness.get("/api/runs")).json["runs"]).toEqual([]);
  });

  it("BR9 belong to one run, and cannot be attached to a finished run", async () => {
    const [id, late] = [
      await harness.upload({ bytes: "one" }),
      await harness.upload({ bytes: "two" }),
    ];
    const created = await harness.post("/api/runs", { prompt: "read it", uploadIds: [id] });
    expect(created.status).toBe(201);
    const runId = created.json["id"] as string;
    expect(await harness.post("/api/runs", { prompt: "read it", uploadIds: [id] })).toMatchObject({
      status: 409,
    });
    await harness.waitForEnd(runId);
    expect(await harness.post("/api/uploads/complete", { uploadId: late, runId })).toMatchObject({
      status: 409,
      json: { code: "conflict" },
    });
    expect((await harness.get(`/api/runs/${runId}/artifacts`)).json).toMatchObject({
      artifacts: [{ kind: "upload", name: "a.txt", digest: digestOf("one") }],
    });
    const other = await harness.post("/api/runs", { prompt: "wait", delayMs: 60_000 });
    expect(
      await harness.post("/api/uploads/complete", { uploadId: late, runId: other.json["id"] }),
    ).toMatchObject({ status: 200, json: { runId: other.json["id"] } });
  });
});

describe("uploads with limits", () => {
  let harness: UploadHarness;
  beforeAll(async () => {
    harness = await createUploadHarness(inject("postgresUrl"), {
      perMinute: 3,
      uploadQuota: { ownerBytes: 10, allBytes: 15 },
    });
  });
  afterAll(() => harness.close());
  const announce = (sizeBytes: number, ownerId: string) =>
    harness.post(
      "/api/uploads/token",
      { filename: "a.txt", contentType: "text/plain", sizeBytes },
      ownerId,
    );

  it("BR9 BR10 are limited per minute, and by the space for waiting files", async () => {
    expect((await announce(8, "eva")).status).toBe(201);
    expect(await announce(3, "eva")).toMatchObject({
      status: 413,
      json: { code: "upload_quota", why: { code: "quota_used", usedBytes: 8, limitBytes: 10 } },
    });
    expect((await announce(2, "eva")).status).toBe(201);
    const limited = await announce(1, "eva");
    expect(limited).toMatchObject({ status: 429, json: { code: "rate_limited" } });
    expect(Number(limited.headers["retry-after"])).toBeGreaterThan(0);
    expect(await announce(6, "max")).toMatchObject({
      status: 413,
      json: { code: "upload_quota", why: { code: "quota_used_by_all" } },
    });
    expect((await announce(5, "max")).status).toBe(201);
  });
});
