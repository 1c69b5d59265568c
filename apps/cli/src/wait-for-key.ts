import type { ReadStream, WriteStream } from "node:tty";

interface WaitForKeyDeps {
  readonly stdin: Pick<ReadStream, "setRawMode" | "on" | "off" | "resume" | "pause">;
  readonly stderr: Pick<WriteStream, "write">;
  readonly stop: AbortSignal;
}

const clearLine = "\r\u001B[K";
const interrupt = "\u0003";

/** Counts down in one line of a terminal until a key is pressed. */
export async function waitForKey(
  { stdin, stderr, stop }: WaitForKeyDeps,
  key: string,
  { ms, say }: { readonly ms: number; readonly say: (seconds: number) => string },
): Promise<boolean> {
  if (stop.aborted || ms <= 0) return false;
  const until = performance.now() + ms;
  const show = () => {
    const left = Math.max(0, Math.ceil((until - performance.now()) / 1_000));
    stderr.write(`${clearLine}${say(left)}`);
  };
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onData = (chunk: Buffer | string) => {
    const typed = chunk.toString();
    // Single keys reach the program without the signals that the terminal makes of them.
    if (typed.includes(interrupt)) process.kill(process.pid, "SIGINT");
    else if (typed.toLowerCase().includes(key)) resolve(true);
  };
  const onStop = () => resolve(false);
  stop.addEventListener("abort", onStop, { once: true });
  const ended = setTimeout(() => resolve(false), ms);
  const ticks = setInterval(show, 250);
  stdin.setRawMode(true);
  stdin.on("data", onData);
  stdin.resume();
  show();
  try {
    return await promise;
  } finally {
    clearTimeout(ended);
    clearInterval(ticks);
    stop.removeEventListener("abort", onStop);
    stdin.off("data", onData);
    stdin.pause();
    stdin.setRawMode(false);
    stderr.write(clearLine);
  }
}
