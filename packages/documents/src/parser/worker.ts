// The thread that parses the document. Whatever happens here, the main thread of this process keeps
// monitoring it.
import { parentPort, workerData } from "node:worker_threads";
import type { Frame, ParseRequest } from "../frame.ts";
import { isFailure } from "./failure.ts";
import { guessLanguage } from "./guess-language.ts";
import { createOutput } from "./output.ts";
import { readDocument } from "./read-document.ts";

// Node's permissions do not cover the network, so its globals are removed. They stay defined as
// undefined, because libraries refer to them.
for (const name of ["fetch", "WebSocket", "EventSource"])
  Reflect.defineProperty(globalThis, name, { value: undefined });

const { bytes, request } = workerData as { bytes: Uint8Array<ArrayBuffer>; request: ParseRequest };
const send = (frame: Frame) => parentPort?.postMessage(frame);
const { limits, isPreview = false } = request;
const output = createOutput(limits.maxCharacters, send, { warnsOfCut: !isPreview });
try {
  await readDocument(bytes, request, output);
  output.flush();
  const language = isPreview ? undefined : await guessLanguage(output.sample());
  if (language) send({ type: "language", ...language });
  send({ type: "end" });
} catch (error) {
  output.flush();
  const detail = error instanceof Error ? error.name.slice(0, 200) : "unknown";
  const flaw = isFailure(error) ? error.flaw : { code: "parser_failed" as const, detail };
  send({ type: "failed", flaw });
}
