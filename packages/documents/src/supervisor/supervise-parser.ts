import { omitUndefined } from "@bron/protocol";
import { spawn, type ChildProcess } from "node:child_process";
import { BronError } from "@bron/core";
import { frameSchema, type Frame, type ParseOrder, type StopReason } from "../frame.ts";
import type { Command } from "../isolation/parser-command.ts";
import { createFrameReader, encodeFrame, frameHeader } from "../parser/framing.ts";
import { mostSilentMs } from "../parser/most-silent-ms.ts";
import type { ParsedDocument } from "../parsed-document.ts";
import { createCollector } from "./collect-document.ts";
import { memoryOf } from "./memory-of.ts";

const watchMs = 20;
const maxFrameBytes = 1024 * 1024;
/** Far more than an honest parser needs. */
const maxFrames = 100_000;

export interface Progress {
  /** Pages, rows or cells. */
  readonly done: number;
  readonly total?: number;
}

export interface ParserRun {
  readonly command: Command;
  readonly bytes: Uint8Array;
  readonly order: ParseOrder;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export type ParserEnd =
  | { readonly state: "done" }
  | {
      readonly state: "failed";
      readonly code: Extract<Frame, { type: "failed" }>["code"];
      readonly message: string;
    }
  | { readonly state: "stopped"; readonly why: StopReason }
  | { readonly state: "aborted" }
  /** It ended without a word, or said what does not fit. */
  | { readonly state: "lost" };

/** Runs the parser's process to its end and resolves when it is gone. It watches itself; this watches too, and trusts nothing that it says. */
export async function superviseParser({
  command,
  bytes,
  order,
  signal,
  onProgress,
}: ParserRun): Promise<{ end: ParserEnd; document: ParsedDocument | undefined }> {
  const { maxMemoryBytes, hardMs, maxCharacters } = order.limits;
  const collector = createCollector(maxCharacters);
  let end: ParserEnd | undefined;
  const child = spawn(command.file, command.args, {
    env: {},
    cwd: command.folder,
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
  });
  const finish = (how: ParserEnd) => {
    end ??= how;
    child.kill("SIGKILL");
  };

  const begunAt = performance.now();
  let movedAt = begunAt;
  const take = (frame: Frame) => {
    if (end) return;
    if (frame.type === "end") return finish({ state: "done" });
    if (frame.type === "failed")
      return finish({ state: "failed", code: frame.code, message: frame.message });
    if (frame.type === "stopped") return finish({ state: "stopped", why: frame.why });
    if (frame.type === "memory")
      return frame.rssBytes > maxMemoryBytes
        ? finish({ state: "stopped", why: "memory" })
        : undefined;
    movedAt = performance.now();
    if (!collector.take(frame)) return finish({ state: "lost" });
    if (frame.type === "progress")
      onProgress?.({ done: frame.done, ...omitUndefined({ total: frame.total }) });
  };
  let frames = 0;
  const read = createFrameReader(maxFrameBytes, (payload) => {
    const frame = ++frames > maxFrames || end ? undefined : parseFrame(payload);
    if (frame) take(frame);
    else finish({ state: "lost" });
  });
  child.stdout.on("data", (chunk: Buffer) => {
    if (!read(chunk)) finish({ state: "lost" });
  });

  const watch = setInterval(() => {
    const now = performance.now();
    if (child.pid !== undefined && (memoryOf(child.pid) ?? 0) > maxMemoryBytes)
      finish({ state: "stopped", why: "memory" });
    else if (now - movedAt > mostSilentMs(order.limits, movedAt > begunAt))
      finish({ state: "stopped", why: "stall" });
    else if (now - begunAt > hardMs) finish({ state: "stopped", why: "hard" });
  }, watchMs);
  const onAbort = () => finish({ state: "aborted" });
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();

  // A parser that is gone does not read on; how it ended says more than the broken pipe.
  child.stdin.on("error", () => {});
  child.stdin.write(encodeFrame(Buffer.from(JSON.stringify(order))));
  child.stdin.write(frameHeader(bytes.length));
  child.stdin.write(bytes);
  try {
    await closed(child);
  } finally {
    clearInterval(watch);
    signal?.removeEventListener("abort", onAbort);
  }
  return { end: end ?? { state: "lost" }, document: collector.document() };
}

function parseFrame(payload: Buffer): Frame | undefined {
  try {
    return frameSchema.safeParse(JSON.parse(payload.toString())).data;
  } catch {
    return undefined;
  }
}

function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("error", (cause) =>
      reject(
        new BronError("tool_failed", "The parser of documents could not be started.", { cause }),
      ),
    );
    child.once("close", () => resolve());
  });
}
