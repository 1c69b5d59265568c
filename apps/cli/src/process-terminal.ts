import { BronError } from "@bron/core";
import { createInterface } from "node:readline/promises";
import type { Terminal } from "./terminal.ts";

/** The terminal of this process. `plain` disables colors. */
export function createProcessTerminal(options: {
  readonly plain: boolean;
  readonly stop: AbortSignal;
}): Terminal {
  const stdin = process.stdin;
  const stdout = process.stdout;
  const stderr = process.stderr;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    isLive: stdout.isTTY,
    canAsk: stdin.isTTY && stderr.isTTY,
    color: stdout.isTTY && stderr.isTTY && !options.plain,
    // Some terminals report a width of 0.
    columns: stdout.isTTY ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    stop: options.stop,
    now: () => new Date(),
    async ask(question) {
      const reader = createInterface({ input: stdin, output: stderr });
      const ended = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
      // Ctrl-C at the prompt goes to the reader, not to the process.
      reader.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
      try {
        return await Promise.race([
          reader.question(question, { signal: options.stop }).catch(() => ""),
          ended,
        ]);
      } finally {
        reader.close();
      }
    },
    async readInput(maxBytes) {
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of stdin) {
        chunks.push(chunk as Buffer);
        bytes += (chunk as Buffer).length;
        if (bytes > maxBytes)
          throw new BronError(
            "too_large",
            `The task is too long. The limit is ${maxBytes / 1024} KB.`,
            { details: { maxBytes } },
          );
      }
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}
