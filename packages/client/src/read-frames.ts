import { createFrameParser, type Frame } from "./frame-parser.ts";

/**
 * Yields the messages of each chunk together, until the stream ends. Throws if the stream breaks or
 * is silent for too long.
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<Frame[], void> {
  const parse = createFrameParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await withTimeout(reader.read(), silenceMs);
      if (done) return;
      yield parse(decoder.decode(value, { stream: true }));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException("The stream timed out.", "TimeoutError")), ms);
  });
  return await Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
