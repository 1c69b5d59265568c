import { BronError } from "@bron/core";
import { fstat, type Stats } from "node:fs";
import { createInterface } from "node:readline/promises";
import { askWords } from "./ask-words.ts";
import type { Terminal } from "./terminal.ts";
import { waitForKey } from "./wait-for-key.ts";

/** The terminal of this process. `plain` disables colors. */
export function createProcessTerminal(options: {
  readonly plain: boolean;
  readonly calledAs: string;
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
    calledAs: options.calledAs,
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
    waitForKey: (key, wait) => waitForKey({ stdin, stderr, stop: options.stop }, key, wait),
    askWords: (question) => askWords({ stdin, stderr, stop: options.stop }, question),
    readInput: (maxBytes) => readInput(maxBytes),
    readPiped: async (maxBytes) =>
      (await hasPipedInput()) ? await readInput(maxBytes) : undefined,
  };
}

async function readInput(maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
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
}

const firstInputMs = 3_000;

async function hasPipedInput(): Promise<boolean> {
  const stdin = process.stdin;
  const kind = await stat();
  if (kind?.isFile()) return true;
  if (!kind?.isFIFO() && !kind?.isSocket()) return false;
  const isReadable = await new Promise<boolean>((resolve) => {
    const late = setTimeout(() => resolve(false), firstInputMs);
    const ready = () => {
      clearTimeout(late);
      resolve(true);
    };
    stdin.once("readable", ready);
    stdin.once("end", ready);
    stdin.once("error", ready);
  });
  if (isReadable) return true;
  // Otherwise the open pipe would keep this process from ending.
  stdin.removeAllListeners("readable").pause();
  stdin.unref();
  process.stderr.write(
    `Nothing came from standard input within ${firstInputMs / 1_000} seconds, so Bron goes on without it.\n`,
  );
  return false;
}

/** Undefined if standard input is closed. */
function stat(): Promise<Stats | undefined> {
  return new Promise((resolve) => fstat(0, (error, stats) => resolve(error ? undefined : stats)));
}
