import { request, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal, type PartialText, type RunStatus } from "@bron/protocol";
import type { SignedInServer } from "./signed-in-server.ts";

export interface SeenEvent {
  readonly seq: number;
  readonly type: string;
  readonly payload: unknown;
  readonly createdAt: string;
}

/** Partial text as the client received it. `afterSeq` is the last event before it. */
interface SeenPartialText {
  readonly step: number;
  readonly attempt: number;
  readonly text: string;
  readonly thoughts: string;
  readonly afterSeq: number;
  /** The number of the connection on which it came, from 0. */
  readonly connection: number;
}

interface Connection {
  readonly signedIn: SignedInServer;
  readonly lastEventId: number;
  status: number;
  /**
   * `complete`: the server ended the stream after a full frame. `torn`: it ended the stream within
   * a frame. `cut`: the connection broke.
   */
  end: "complete" | "torn" | "cut" | "refused" | undefined;
  /** The last comment in the stream. */
  word: string;
}

/** A client that keeps everything that it received, in order. */
export interface RunReader {
  readonly runId: string;
  readonly seen: readonly SeenEvent[];
  readonly partialTexts: readonly SeenPartialText[];
  /** What running tools said. */
  readonly reported: readonly { readonly actionId: string; readonly message: string }[];
  readonly connections: readonly Connection[];
  /** The time from the commit of each event to its arrival. Both use the clock of this machine. */
  readonly delaysMs: readonly number[];
  /** Breaks the connection, as closing a laptop does. */
  drop(): void;
  /** Resolves when the run has finished, or when the signal aborts. */
  readonly finished: Promise<void>;
}

interface RunReaderOptions {
  readonly runId: string;
  /** The server to connect to now, or undefined if there is none yet. */
  readonly choose: () => SignedInServer | undefined;
  readonly signal: AbortSignal;
}

/** The limit of connections. It makes a server visible that ends all its streams at once. */
const maxConnections = 60;

export function openRunReader({ runId, choose, signal }: RunReaderOptions): RunReader {
  const seen: SeenEvent[] = [];
  const partialTexts: SeenPartialText[] = [];
  const reported: { readonly actionId: string; readonly message: string }[] = [];
  const connections: Connection[] = [];
  const delaysMs: number[] = [];
  let isFinished = false;
  let drop = () => {};

  const takeBlock = (block: string, connection: Connection) => {
    const fields = fieldsOf(block);
    const data = fields.get("data");
    connection.word = fields.get("") ?? connection.word;
    if (data === undefined) return;
    if (fields.get("event") === "answer") {
      const { step, attempt, text, thoughts, progress } = JSON.parse(data) as PartialText;
      for (const entry of progress ?? []) reported.push(entry);
      if (progress) return;
      partialTexts.push({
        step,
        attempt,
        text,
        thoughts: thoughts?.text ?? "",
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
    if (type === "status" && isTerminal((payload as { status: RunStatus }).status))
      isFinished = true;
  };

  const readOnce = async (signedIn: SignedInServer) => {
    const lastEventId = seen.at(-1)?.seq ?? 0;
    const connection: Connection = { signedIn, lastEventId, status: 0, end: undefined, word: "" };
    connections.push(connection);
    const response = await open(
      signedIn,
      runId,
      lastEventId,
      (disconnect) => (drop = disconnect),
    ).catch(() => undefined);
    if (!response) return void (connection.end = "refused");
    connection.status = response.statusCode ?? 0;
    if (connection.status === 204) isFinished = true;
    let rest = "";
    try {
      for await (const chunk of response.setEncoding("utf8")) {
        const blocks = (rest + String(chunk)).split("\n\n");
        rest = blocks.pop() ?? "";
        for (const block of blocks) takeBlock(block, connection);
      }
      connection.end = rest === "" ? "complete" : "torn";
    } catch (error) {
      if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === undefined)
        throw error;
      connection.end = "cut";
    }
  };

  const read = async () => {
    const stop = () => drop();
    signal.addEventListener("abort", stop, { once: true });
    while (!isFinished && !signal.aborted && connections.length < maxConnections) {
      const signedIn = choose();
      if (signedIn) await readOnce(signedIn);
      if (!isFinished) await sleep(100);
    }
    signal.removeEventListener("abort", stop);
  };

  return {
    runId,
    seen,
    partialTexts,
    reported,
    connections,
    delaysMs,
    drop: () => drop(),
    finished: read(),
  };
}

/** Sends `Last-Event-ID` as a browser does, which omits it the first time. */
function open(
  signedIn: SignedInServer,
  runId: string,
  lastEventId: number,
  onOpen: (disconnect: () => void) => void,
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

/** The fields by name. The name of a comment is empty. */
function fieldsOf(block: string): Map<string, string> {
  return new Map(
    block.split("\n").map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    }),
  );
}
