/** One value for each line of JSON, as they come. */
export async function* readLines<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      text += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = text.split("\n");
      text = done ? "" : (lines.pop() ?? "");
      for (const line of lines) if (line !== "") yield JSON.parse(line) as T;
      if (done) return;
    }
  } finally {
    // Whoever stops reading lets go of the connection.
    await reader.cancel().catch(() => undefined);
  }
}
