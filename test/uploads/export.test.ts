import { defineTool } from "bron";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { readZipDirectory } from "../../packages/documents/src/parser/zip-directory.ts";
import { createUploadLab, type UploadLab } from "./upload-lab.ts";

const hostile = [
  "../../etc/passwd", "/etc/passwd", "..\\..\\windows\\system32\\evil.dll", "C:\\evil.exe", "..", ".", "", "   ", "a\0b.txt", "a\r\nb.txt", "evil\u202Egpj.exe", "CON", "nul.txt", "com1.log", "report.pdf", "Report.PDF", "REPORT.pdf",
  "e\u0301.txt", "\u00e9.txt", `${"x".repeat(300)}.pdf`, `${"x".repeat(299)}y.pdf`, `${"漢".repeat(200)}.txt`, "~/.bashrc", "-rf", "a:b|c?d*e<f>g\"h", "trailing. . .", "\u{1F600}.png", "half \ud83d pair.txt", "__proto__", "stra\u00dfe.txt", "STRASSE.txt",
];

describe("a run as a zip", () => {
  let lab: UploadLab;
  const keep = defineTool({
    name: "keep",
    description: "Keeps files.",
    input: z.object({}),
    async execute(_input: object, context) {
      for (const [index, name] of hostile.entries()) await context.saveArtifact({ kind: "file", name, mediaType: "text/plain", bytes: new TextEncoder().encode(`file ${index}`) });
      return "kept";
    },
  });
  const send = defineTool({ name: "send", description: "Sends.", input: z.object({}), sideEffect: true, execute: () => "sent" });
  const dump = defineTool({ name: "dump", description: "Says much.", input: z.object({}), execute: () => "x".repeat(50_000) });
  beforeAll(async () => {
    lab = await createUploadLab(inject("postgresUrl"), { tools: [keep, send, dump], script: ({ turn, options }) => (turn === 0 ? { reasoning: "a secret thought", calls: (JSON.stringify(options.prompt).match(/use \w+/g) ?? []).map((use) => ({ tool: use.slice(4), input: {} })) } : { text: "Done." }) });
  });
  afterAll(() => lab.close());

  const exported = async (runId: string, init: RequestInit = {}) => {
    const { token } = await lab.bron.tokens.create("eva", { name: "export", scopes: ["read"] });
    return await fetch(`${lab.server.url}/api/runs/${runId}/export`, { ...init, headers: { authorization: `Bearer ${token}` } });
  };
  const unzip = async (response: Response) => {
    const bytes = new Uint8Array(await response.arrayBuffer());
    const files = new Map(Object.entries(unzipSync(bytes)));
    // Another reader sees the same.
    expect(readZipDirectory(bytes).map(({ name, unpackedBytes }) => [name, unpackedBytes])).toEqual([...files].map(([name, { length }]) => [name, length]));
    const textOf = (name: string) => new TextDecoder().decode(files.get(name));
    return { files, textOf };
  };
  const createRun = async (prompt: string, uploadIds: string[] = []) => {
    const run = await lab.bron.runs.create("eva", { prompt, uploadIds });
    for await (const _ of lab.bron.runs.events("eva", run.id, { untilParked: true }));
    return run.id;
  };

  it("BR25 holds the run, its log as the API shows it, its approvals and its files", async () => {
    const bytes = Buffer.alloc(1_500_000, "0123456789abcdef\n");
    const runId = await createRun("please use dump and use send", [await lab.upload({ filename: "attached.txt", bytes })]);
    const response = await exported(runId);
    expect([response.status, response.headers.get("content-type"), response.headers.get("content-disposition")]).toEqual([200, "application/zip", `attachment; filename="bron-run-${runId}.zip"`]);
    const { files, textOf } = await unzip(response);
    expect([...files.keys()]).toEqual(["README.txt", "run.json", "events.jsonl", "approvals.json", "artifacts/attached.txt"]);
    expect(JSON.parse(textOf("run.json"))).toEqual((await lab.get(`/api/runs/${runId}`)).json);
    const lines = textOf("events.jsonl").trimEnd().split("\n").map((line) => JSON.parse(line) as unknown);
    expect(lines).toEqual((await lab.get(`/api/runs/${runId}/events?limit=1000`)).json["events"]);
    expect(textOf("events.jsonl")).not.toContain("secret thought");
    expect(textOf("events.jsonl")).toContain("[cut: 50000 characters in all]");
    expect(JSON.parse(textOf("approvals.json"))).toMatchObject([{ runId, tool: "send", state: "pending" }]);
    expect(Buffer.from(files.get("artifacts/attached.txt") ?? []).equals(bytes)).toBe(true);
    for (const words of ["run.json", "events.jsonl", "approvals.json", "artifacts/attached.txt", runId]) expect(textOf("README.txt")).toContain(words);
  });

  it("BR25 has names that are safe to unpack anywhere, and no two that are the same there", async () => {
    const runId = await createRun("please use keep");
    const { files, textOf } = await unzip(await exported(runId));
    const names = [...files.keys()].filter((name) => name.startsWith("artifacts/")).map((name) => name.slice("artifacts/".length));
    expect(names).toHaveLength(hostile.length);
    for (const name of names) {
      expect(name).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]{1,120}$/u);
      expect(name).not.toContain("..");
      expect(name).not.toMatch(/^[\s.~-]|[\s.]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
    }
    expect(new Set(names.map((name) => name.normalize("NFKC").toUpperCase().toLowerCase())).size).toBe(names.length);
    for (const name of ["report.pdf", "Report (2).PDF", "REPORT (3).pdf", "_CON", "_nul.txt", "file", "_.bashrc"]) expect(names).toContain(name);
    expect(names.filter((name) => name.endsWith(".pdf") && name.startsWith("xxx"))).toHaveLength(2);
    // Each holds what it held, whatever it is called.
    expect(names.map((name) => textOf(`artifacts/${name}`)).toSorted()).toEqual(hostile.map((_, index) => `file ${index}`).toSorted());
  });

  it("BR25 answers HEAD without a body, and RT12 has nothing for another owner", async () => {
    const runId = await createRun("nothing");
    const head = await exported(runId, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([200, "application/zip", ""]);
    expect(await lab.get(`/api/runs/${runId}/export`, "max")).toMatchObject({ status: 404, json: { code: "not_found" } });
    expect(await lab.get("/api/runs/3f9a1c20-1111-4222-8333-444455556666/export")).toMatchObject({ status: 404 });
    expect((await fetch(`${lab.server.url}/api/runs/${runId}/export`)).status).toBe(401);
  });

  it("BR25 is cut off, and not taken for whole, when a file cannot be read any more", async () => {
    const runId = await createRun("nothing", [await lab.upload({ bytes: "will be lost" })]);
    await lab.query("update blobs set bytes = 'other' where bytes = 'will be lost'");
    const response = await exported(runId);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(lab.problems).toEqual(["An export was cut off"]);
  });
});
