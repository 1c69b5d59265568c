import { request, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal, type RunStatus } from "@bron/protocol";
import type { SignedInServer } from "./signed-in-server.ts";

export interface SeenEvent {
  readonly seq: number;
  readonly type: string;
  readonly payload: unknown;
  readonly createdAt: string;
}

/** The answer in progress, as it was shown; `afterSeq` is the last event before it. */
export interface SeenResponse {
  readonly step: number;
  readonly attempt: number;
  readonly text: string;
  readonly afterSeq: number;
  /** The connection, from 0, on which it came. */
  readonly connection: number;
}

export interface Connection {
  readonly signedIn: SignedInServer;
  readonly lastEventId: number;
  status: number;
  /** `whole`: ended by the server's word, after its last full frame. `torn`: ended by its word within a frame. `cut`: it broke. */
  end: "whole" | "torn" | "cut" | "refused" | undefined;
  /** The last comment. */
  word: string;
}

/** A client that keeps everything that it was ever sent, in the order in which it came. */
export interface RunReader {
  readonly runId: string;
  readonly seen: readonly SeenEvent[];
  readonly answers: readonly SeenResponse[];
  readonly connections: readonly Connection[];
  /** How long each event took from its commit, by the clock of the one machine. */
  readonly delaysMs: readonly number[];
  /** Breaks its connection, as a laptop that is closed does. */
  drop(): void;
  /** Resolves at the run's end, or when the signal aborts. */
  readonly over: Promise<void>;
}

export interface RunReaderOptions {
  readonly runId: string;
  /** Where to connect now; undefined if there is nowhere to go yet. */
  readonly choose: () => SignedInServer | undefined;
  readonly signal: AbortSignal;
}

/** Never connects more often than this, so that a server that always ends its streams is seen and not asked for ever. */
const mostConnections = 60;

export function openRunReader({ runId, choose, signal }: RunReaderOptions): RunReader {
  const seen: SeenEvent[] = [];
  const answers: SeenResponse[] = [];
  const connections: Connection[] = [];
  const delaysMs: number[] = [];
  let isOver = false;
  let drop = () => {};

  const takeBlock = (block: string, connection: Connection) => {
    const fields = fieldsOf(block);
    const data = fields.get("data");
    connection.word = fields.get("") ?? connection.word;
    if (data === undefined) return;
    if (fields.get("event") === "answer") {
      const { step, attempt, text } = JSON.parse(data) as Omit<
        SeenResponse,
        "afterSeq" | "connection"
      >;
      answers.push({
        step,
        attempt,
        text,
        afterSeq: seen.at(-1)?.seq ?? 0,
        connection: connections.length - 1,
      });
      return;
    }
    const { seq, type, payload, createdAt } = JSON.parse(data) as SeenEvent;
    if (String(seq) !== fields.get("id") || type !== fields.get("event"))
      throw new Error(
        `The frame of ${seq} ${type} says ${fields.get("id")} ${fields.get("event")}`,
      );
    seen.push({ seq, type, payload, createdAt });
    delaysMs.push(Date.now() - Date.parse(createdAt));
    if (type === "status" && isTerminal((payload as { status: RunStatus }).status)) isOver = true;
  };

  const readOnce = async (signedIn: SignedInServer) => {
    const lastEventId = seen.at(-1)?.seq ?? 0;
    const connection: Connection = { signedIn, lastEventId, status: 0, end: undefined, word: "" };
    connections.push(connection);
    const response = await open(
      signedIn,
      runId,
      lastEventId,
      (injectFault) => (drop = injectFault),
    ).catch(() => undefined);
    if (!response) return void (connection.end = "refused");
    connection.status = response.statusCode ?? 0;
    if (connection.status === 204) isOver = true;
    let rest = "";
    try {
      for await (const chunk of response.setEncoding("utf8")) {
        const blocks = (rest + String(chunk)).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) takeBlock(block, connection);
      }
      connection.end = rest === "" ? "whole" : "torn";
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === undefined)
        throw error;
      connection.end = "cut";
    }
  };

  const read = async () => {
    const stop = () => drop();
    signal.addEventListener("abort", stop, { once: true });
    while (!isOver && !signal.aborted && connections.length < mostConnections) {
      const signedIn = choose();
      if (signedIn) await readOnce(signedIn);
      if (!isOver) await sleep(100);
    }
    signal.removeEventListener("abort", stop);
  };

  return { runId, seen, answers, connections, delaysMs, drop: () => drop(), over: read() };
}

/** `Last-Event-ID` as a browser sends it: not at all the first time. */
function open(
  signedIn: SignedInServer,
  runId: string,
  lastEventId: number,
  onOpen: (injectFault: () => void) => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = {
      accept: "text/event-stream",
      cookie: signedIn.cookie,
      ...(lastEventId > 0 ? { "last-event-id": String(lastEventId) } : {}),
    };
    const sent = request(
      `${signedIn.url}/api/runs/${runId}/stream`,
      { agent: false, headers },
      resolve,
    );
    onOpen(() => sent.destroy());
    sent.on("error", reject);
    sent.end();
  });
}

/** By name; a comment's is empty. */
function fieldsOf(block: string): Map<string, string> {
  return new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    }),
  );
}
