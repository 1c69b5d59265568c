import { BronError, messageOf } from "@bron/core";
import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { deserializeMessage, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import type { FlowLimit } from "./flow-limit.ts";
import { createLineReader } from "./line-reader.ts";
import type { StdioEntry } from "./server-entry.ts";

const maxLineBytes = 16 * 1024 * 1024;
const maxErrorCharacters = 2_000;
/** How long a program has to end by itself, and again after it was asked to. */
const graceMs = 1_500;

/** How a program ended, with the end of what it wrote to standard error. */
interface ProgramEnd {
  readonly code: number | null;
  readonly stderr: string;
}

export interface StdioTransport extends Transport {
  /** Undefined while the program runs. */
  end(): ProgramEnd | undefined;
}

/**
 * A program that speaks MCP over its standard input and output. It gets the variables that its entry
 * names, and beside them only those that a program needs to run, such as PATH and HOME. It has a
 * process group of its own, which ends with the connection.
 */
export function createStdioTransport(
  { command, args, env }: StdioEntry,
  { flow, cwd }: { readonly flow: FlowLimit; readonly cwd: string },
): StdioTransport {
  const readLines = createLineReader(maxLineBytes, (text) => readMessage(text, transport, flow));
  let child: ChildProcessWithoutNullStreams | undefined;
  let stderr = "";
  let ended: ProgramEnd | undefined;
  let whenEnded: Promise<void> = Promise.resolve();
  const killOnExit = () => signalGroup(child, "SIGKILL");

  const transport: StdioTransport = {
    end: () => ended,
    start: () =>
      new Promise((resolve, reject) => {
        const started = spawn(command, [...args], {
          env: { ...getDefaultEnvironment(), ...env },
          cwd,
          stdio: "pipe",
          shell: false,
          windowsHide: true,
          detached: process.platform !== "win32",
        });
        child = started;
        // If this process ends without closing the transport.
        process.once("exit", killOnExit);
        whenEnded = new Promise((done) => {
          const end = (code: number | null) => {
            process.removeListener("exit", killOnExit);
            if (ended) return;
            ended = { code, stderr };
            done();
            transport.onclose?.();
          };
          started.once("close", end);
          started.once("error", (error) => {
            reject(cannotStart(command, error));
            if (started.pid === undefined) end(null);
          });
        });
        started.once("spawn", () => resolve());
        started.stdin.on("error", () => undefined);
        started.stderr.on("data", (chunk: Buffer) => {
          stderr = (stderr + chunk.toString("utf8")).slice(-maxErrorCharacters);
        });
        started.stdout.on("data", (chunk: Buffer) => {
          try {
            flow.countBytes(chunk.byteLength);
            readLines(chunk);
          } catch (error) {
            transport.onerror?.(error as Error);
            // It does not stop by itself, so it gets no time to.
            signalGroup(started, "SIGKILL");
          }
        });
      }),
    send: (message) =>
      new Promise((resolve, reject) => {
        if (!child || ended || !child.stdin.writable)
          return reject(new BronError("tool_failed", "The program has ended."));
        child.stdin.write(serializeMessage(message), (error) =>
          error ? reject(error) : resolve(),
        );
      }),
    async close() {
      if (!child || ended) return;
      child.stdout.removeAllListeners("data");
      child.stdout.resume();
      child.stdin.end();
      if (await endsWithin(whenEnded, graceMs)) return;
      signalGroup(child, "SIGTERM");
      if (await endsWithin(whenEnded, graceMs)) return;
      signalGroup(child, "SIGKILL");
      await endsWithin(whenEnded, graceMs);
    },
  };

  return transport;
}

/** A line that is not a message is skipped, because some programs print to standard output. */
function readMessage(text: string, transport: StdioTransport, flow: FlowLimit): void {
  flow.countMessage();
  let message: JSONRPCMessage;
  try {
    message = deserializeMessage(text);
  } catch (error) {
    return transport.onerror?.(error as Error);
  }
  transport.onmessage?.(message);
}

function cannotStart(command: string, error: unknown): BronError {
  const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
  return new BronError(
    "tool_failed",
    isMissing
      ? `The program ${command} was not found. Install it, or write its full path.`
      : `The program ${command} could not be started: ${messageOf(error)}`,
    { cause: error },
  );
}

/** Also ends what the program started, such as the server behind a launcher. */
function signalGroup(
  child: ChildProcessWithoutNullStreams | undefined,
  signal: "SIGTERM" | "SIGKILL",
): void {
  if (child?.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended already.
  }
}

async function endsWithin(ended: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([ended.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
