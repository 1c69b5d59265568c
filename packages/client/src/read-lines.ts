/** One value for each line of JSON, as they come. */
export async function* readLines<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  /** The pieces of the line that is not whole yet. Joined once, however many they are. */
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
    // Whoever stops reading lets go of the connection.
    await reader.cancel().catch(() => undefined);
  }
}
