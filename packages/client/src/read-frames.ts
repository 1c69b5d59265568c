import { createFrameParser, type Frame } from "./frame-parser.ts";

/** The messages of a stream, those of one piece together, until it ends. Throws when it is cut or silent for too long. */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<Frame[], void> {
  const parse = createFrameParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await withinTime(reader.read(), silenceMs);
      if (done) return;
      yield parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withinTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException("The stream is silent.", "TimeoutError")), ms);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
