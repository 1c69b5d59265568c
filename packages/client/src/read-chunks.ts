/** Yields the chunks of a body as they arrive. */
export async function* readChunks(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Closes the connection if the consumer stops early.
    await reader.cancel().catch(() => undefined);
  }
}
