import { describe, expect, it } from "vitest";
import { defaultLimits } from "../limits.ts";
import { superviseParser } from "./supervise-parser.ts";

/** A compromised parser that sends whatever it likes. */
async function superviseProgram(code: string, limits: Partial<typeof defaultLimits> = {}) {
  const helpers = `
    const frame = (value) => { const body = Buffer.from(typeof value === "string" ? value : JSON.stringify(value)); const head = Buffer.alloc(4); head.writeUInt32BE(body.length); return Buffer.concat([head, body]); };
    const say = (value) => process.stdout.write(frame(value));
    process.stdin.resume();`;
  const command = {
    file: process.execPath,
    args: ["--eval", `${helpers}\n${code}`],
    reads: [],
    folder: "/",
  };
  return await superviseParser({
    command,
    bytes: Buffer.alloc(1024),
    request: { limits: { ...defaultLimits, stallMs: 5_000, ...limits } },
  });
}

const lies: readonly (readonly [string, string])[] = [
  ["announces a frame of a gigabyte", "process.stdout.write(Buffer.from([0x40, 0, 0, 0, 1]))"],
  ["sends what is not JSON", 'say("{nonsense")'],
  ["sends an unknown frame", 'say({ type: "approve", everything: true })'],
  [
    "sends more text than it may",
    'say({ type: "kind", kind: "text" }); for (let i = 0; i < 60; i++) say({ type: "text", text: "x".repeat(100_000) })',
  ],
  [
    "sends empty rows without end",
    'const rows = Array.from({ length: 100_000 }, () => []); setInterval(() => say({ type: "rows", table: "t", rows }), 1)',
  ],
  [
    "sends progress without end",
    'const many = Buffer.concat(Array.from({ length: 5_000 }, () => frame({ type: "progress", done: 1 }))); setInterval(() => process.stdout.write(many), 1)',
  ],
  [
    "carries files without end",
    'say({ type: "kind", kind: "eml" }); for (let i = 0; i < 2_000; i++) { say({ type: "open", name: "a", mediaType: "", byteCount: 1 }); say({ type: "close" }); }',
  ],
  [
    "carries files in files without end",
    'for (let i = 0; i < 100; i++) say({ type: "open", name: "a", mediaType: "", byteCount: 1 })',
  ],
  [
    "ends a file that it did not begin",
    'say({ type: "kind", kind: "eml" }); say({ type: "close" })',
  ],
  ["names a language that is none", 'say({ type: "language", code: "<script>", confidence: 1 })'],
  ["ends without a word", "process.exit(0)"],
];

describe("a misbehaving parser", () => {
  it.for(lies)("that %s is given up", async ([, code]) => {
    expect((await superviseProgram(code)).end).toEqual({ state: "lost" });
  });

  it("that hangs silently is stopped", async () => {
    expect(
      (await superviseProgram("setInterval(() => {}, 1000)", { startMs: 300, stallMs: 300 })).end,
    ).toEqual({ state: "stopped", why: "stall" });
  });

  it("that cannot be started is reported", async () => {
    const command = { file: "/nowhere/node", args: [], reads: [], folder: "/" };
    await expect(
      superviseParser({ command, bytes: Buffer.alloc(10), request: { limits: defaultLimits } }),
    ).rejects.toMatchObject({
      code: "tool_failed",
      message: expect.stringContaining("Couldn't start"),
    });
  });
});

describe("a well-behaved parser", () => {
  it("may be stopped inside an attachment, and earlier content is kept", async () => {
    const code =
      'say({ type: "kind", kind: "eml" }); say({ type: "text", text: "hi" }); say({ type: "open", name: "a.csv", mediaType: "text/csv", byteCount: 9 }); say({ type: "kind", kind: "csv" }); say({ type: "rows", table: "", rows: [["a", "1"]] }); say({ type: "cut" }); say({ type: "stopped", why: "memory" })';
    const { end, document } = await superviseProgram(code);
    expect(end).toEqual({ state: "stopped", why: "memory" });
    expect(document).toMatchObject({
      kind: "eml",
      text: "hi",
      truncated: true,
      attachments: [
        { name: "a.csv", byteCount: 9, document: { kind: "csv", text: "a\t1", truncated: true } },
      ],
    });
  });

  it("is trusted up to its last frame", async () => {
    const code =
      'say({ type: "kind", kind: "pdf", pageCount: 2 }); say({ type: "page", number: 1, text: "a" }); say({ type: "page", number: 1, text: "b" }); say({ type: "end" }); say({ type: "page", number: 2, text: "late" })';
    const { end, document } = await superviseProgram(code);
    expect(end).toEqual({ state: "done" });
    expect(document).toMatchObject({
      kind: "pdf",
      pageCount: 2,
      pages: [{ number: 1, text: "ab" }],
      text: "ab",
    });
  });
});
