import { createInterface } from "node:readline/promises";
import { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { ReadStream, WriteStream } from "node:tty";
import { createPasteFilter } from "./paste-filter.ts";

const bracketedPaste = { on: "\u001B[?2004h", off: "\u001B[?2004l" };

interface AskWordsDeps {
  readonly stdin: ReadStream;
  readonly stderr: WriteStream;
  readonly stop: AbortSignal;
}

/** Asks for one line at a terminal, in which a long paste is a mark that can be deleted. */
export async function askWords(
  { stdin, stderr, stop }: AskWordsDeps,
  question: string,
): Promise<{ readonly words: string; readonly pasted: readonly string[] }> {
  const filter = createPasteFilter();
  const decoder = new StringDecoder("utf8");
  const typed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, filter.feed(decoder.write(chunk)));
    },
  });
  // The line editor switches the terminal to single keys through its input.
  const input = Object.assign(typed, {
    isTTY: true,
    setRawMode: (isRaw: boolean) => stdin.setRawMode(isRaw),
  });
  stdin.pipe(input);
  stderr.write(bracketedPaste.on);
  const reader = createInterface({ input, output: stderr, terminal: true });
  const ended = new Promise<string>((resolve) => reader.once("close", () => resolve("")));
  reader.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    const line = await Promise.race([
      reader.question(question, { signal: stop }).catch(() => ""),
      ended,
    ]);
    return filter.read(line);
  } finally {
    reader.close();
    stdin.unpipe(input);
    stdin.pause();
    stderr.write(bracketedPaste.off);
  }
}
