// The thread that touches the document. Whatever happens here, the main thread of this process keeps watching.
import { parentPort, workerData } from "node:worker_threads";
import type { Frame, ParseOrder } from "../frame.ts";
import { isFailure } from "./failure.ts";
import { guessLanguage } from "./guess-language.ts";
import { createOutput } from "./output.ts";
import { readDocument } from "./read-document.ts";

// Node's permissions do not cover the network: a parser shall not even find the means. Undefined, and not gone: libraries name them.
for (const name of ["fetch", "WebSocket", "EventSource"])
  Reflect.defineProperty(globalThis, name, { value: undefined });

const { bytes, order } = workerData as { bytes: Uint8Array<ArrayBuffer>; order: ParseOrder };
const send = (frame: Frame) => parentPort?.postMessage(frame);
const output = createOutput(order.limits.maxCharacters, send);
try {
  await readDocument(bytes, order, output);
  output.flush();
  const language = await guessLanguage(output.sample());
  if (language) send({ type: "language", ...language });
  send({ type: "end" });
} catch (error) {
  output.flush();
  if (isFailure(error)) send({ type: "failed", code: error.code, message: error.message });
  else
    send({
      type: "failed",
      code: "tool_failed",
      message: `The parser failed (${error instanceof Error ? error.name : "unknown"}).`,
    });
}
