/** Parses NDJSON and yields one value per line as it arrives. */
export async function* readLines<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  /**
   * The chunks of the incomplete last line. They are joined only once, so that many small chunks
   * stay cheap.
   */
  let rest: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      rest.push(text);
      if (!done && !text.includes("\n")) continue;
      const lines = rest.join("").split("\n");
      rest = done ? [] : [lines.pop() ?? ""];
      for (const line of lines) if (line !== "") yield JSON.parse(line) as T;
      if (done) return;
    }
  } finally {
    // Closes the connection if the consumer stops early.
    await reader.cancel().catch(() => undefined);
  }
}
