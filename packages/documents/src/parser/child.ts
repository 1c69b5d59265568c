// The process that parses a document. This thread only monitors, and a worker parses. It reads the
// request and the bytes from stdin, writes frames to stdout, and dies with its parent, whose death
// closes stdin.
import { extname, join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Frame, ParseRequest, StopReason } from "../frame.ts";
import { createFrameReader, encodeFrame } from "./framing.ts";
import { maxSilentMs } from "./max-silent-ms.ts";

const watchMs = 20;
const reportEvery = 5;
const maxInputBytes = 64 * 1024 * 1024;
const maxHeapMb = 400;

let received: ParseRequest | undefined;

const read = createFrameReader(maxInputBytes, (payload) => {
  if (received) parse(payload, received);
  else received = JSON.parse(payload.toString()) as ParseRequest;
});
process.stdin.on("data", (chunk: Buffer) => {
  if (!read(chunk)) die();
});
process.stdin.on("close", die);
process.stdin.on("error", die);
process.stdout.on("error", die);

function parse(payload: Buffer, request: ParseRequest): void {
  const { maxMemoryBytes, hardMs } = request.limits;
  const startedAt = performance.now();
  let movedAt = startedAt;
  let ticks = 0;
  const bytes = new Uint8Array(payload);
  // Output of libraries is discarded, because stdout is reserved for frames.
  const worker = new Worker(join(import.meta.dirname, `worker${extname(import.meta.filename)}`), {
    workerData: { bytes, request },
    transferList: [bytes.buffer],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  worker.on("message", (frame: Frame) => {
    movedAt = performance.now();
    send(frame);
  });
  worker.on("error", (error: Error & { code?: string }) => {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return stop("memory");
    send({ type: "failed", flaw: { code: "parser_failed" } });
  });
  setInterval(() => {
    const rssBytes = process.memoryUsage.rss();
    const now = performance.now();
    if (rssBytes > maxMemoryBytes) return stop("memory");
    if (now - movedAt > maxSilentMs(request.limits, movedAt > startedAt)) return stop("stall");
    if (now - startedAt > hardMs) return stop("hard");
    if (++ticks % reportEvery === 0) send({ type: "memory", rssBytes });
  }, watchMs);
}

function send(frame: Frame): void {
  process.stdout.write(encodeFrame(Buffer.from(JSON.stringify(frame))));
}

/**
 * Reports the reason if the pipe has room, and exits in either case, because waiting would let
 * memory grow.
 */
function stop(why: StopReason): void {
  send({ type: "stopped", why });
  die();
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}
