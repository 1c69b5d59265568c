import { omitUndefined, type FileFlaw } from "@bron/protocol";
import { spawn, type ChildProcess } from "node:child_process";
import { actionFailure } from "@bron/core";
import { frameSchema, type Frame, type ParseRequest, type StopReason } from "../frame.ts";
import type { Command } from "../isolation/parser-command.ts";
import { createFrameReader, encodeFrame, frameHeader } from "../parser/framing.ts";
import { maxSilentMs } from "../parser/max-silent-ms.ts";
import type { ParsedDocument } from "../parsed-document.ts";
import { createCollector } from "./collect-document.ts";
import { memoryOf } from "./memory-of.ts";

const watchMs = 20;
const maxFrameBytes = 1024 * 1024;
/** Far more than a well-behaved parser needs. */
const maxFrames = 100_000;

export interface Progress {
  /** Pages, rows or cells. */
  readonly done: number;
  readonly total?: number;
}

interface ParserRun {
  readonly command: Command;
  readonly bytes: Uint8Array;
  readonly request: ParseRequest;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

export type ParserEnd =
  | { readonly state: "done" }
  | { readonly state: "failed"; readonly flaw: FileFlaw }
  | { readonly state: "stopped"; readonly why: StopReason }
  | { readonly state: "aborted" }
  /** The process ended without a result or sent an invalid frame. */
  | { readonly state: "lost" };

/**
 * Runs the parser process and resolves when it is gone. The process monitors itself, but this side
 * monitors it too and trusts nothing that it sends.
 */
export async function superviseParser({
  command,
  bytes,
  request,
  signal,
  onProgress,
}: ParserRun): Promise<{ end: ParserEnd; document: ParsedDocument | undefined }> {
  const { maxMemoryBytes, hardMs, maxCharacters } = request.limits;
  const collector = createCollector(maxCharacters);
  let end: ParserEnd | undefined;
  const child = spawn(command.file, command.args, {
    env: {},
    cwd: command.folder,
    stdio: ["pipe", "pipe", "ignore"],
    windowsHide: true,
  });
  const finish = (result: ParserEnd) => {
    end ??= result;
    child.kill("SIGKILL");
  };

  const startedAt = performance.now();
  let movedAt = startedAt;
  const take = (frame: Frame) => {
    if (end) return;
    if (frame.type === "end") return finish({ state: "done" });
    if (frame.type === "failed") return finish({ state: "failed", flaw: frame.flaw });
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
    else if (now - movedAt > maxSilentMs(request.limits, movedAt > startedAt))
      finish({ state: "stopped", why: "stall" });
    else if (now - startedAt > hardMs) finish({ state: "stopped", why: "hard" });
  }, watchMs);
  const onAbort = () => finish({ state: "aborted" });
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();

  // A parser that has exited no longer reads. How it ended says more than the broken pipe.
  child.stdin.on("error", () => {});
  child.stdin.write(encodeFrame(Buffer.from(JSON.stringify(request))));
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
      reject(actionFailure("tool_failed", { code: "parser_not_started" }, { cause })),
    );
    child.once("close", () => resolve());
  });
}
