// The process that a document is parsed in: this thread only watches, a worker parses. Reads the order and the bytes from stdin,
// writes frames to stdout, and dies with its parent, whose death closes stdin.
import { Worker } from "node:worker_threads";
import type { Frame, ParseOrder, StopReason } from "../frame.ts";
import { createFrameReader, encodeFrame } from "./framing.ts";
import { mostSilentMs } from "./most-silent-ms.ts";

const watchMs = 20;
const reportEvery = 5;
const maxInputBytes = 64 * 1024 * 1024;
const maxHeapMb = 400;

let order: ParseOrder | undefined;

const read = createFrameReader(maxInputBytes, (payload) => {
  if (order) parse(payload, order);
  else order = JSON.parse(payload.toString()) as ParseOrder;
});
process.stdin.on("data", (chunk: Buffer) => {
  if (!read(chunk)) die();
});
process.stdin.on("close", die);
process.stdin.on("error", die);
process.stdout.on("error", die);

function parse(payload: Buffer, given: ParseOrder): void {
  const { maxMemoryBytes, hardMs } = given.limits;
  const begunAt = performance.now();
  let movedAt = begunAt;
  let ticks = 0;
  const bytes = new Uint8Array(payload);
  // What libraries print goes nowhere: stdout belongs to the frames.
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: { bytes, order: given },
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
    send({ type: "failed", code: "tool_failed", message: "The parser failed." });
  });
  setInterval(() => {
    const rssBytes = process.memoryUsage.rss();
    const now = performance.now();
    if (rssBytes > maxMemoryBytes) return stop("memory");
    if (now - movedAt > mostSilentMs(given.limits, movedAt > begunAt)) return stop("stall");
    if (now - begunAt > hardMs) return stop("hard");
    if (++ticks % reportEvery === 0) send({ type: "memory", rssBytes });
  }, watchMs);
}

function send(frame: Frame): void {
  process.stdout.write(encodeFrame(Buffer.from(JSON.stringify(frame))));
}

/** Says why if the pipe has room, and is gone in either case: waiting would let the memory grow. */
function stop(why: StopReason): void {
  send({ type: "stopped", why });
  die();
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}
