// Sends HTTP requests as fast as they are answered, and reads many streams at once.
import { Agent, request, type IncomingMessage } from "node:http";
import { quantile } from "./figures.ts";
import { serveCalls } from "./remote-calls.ts";

export interface LoadOrder {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  readonly connections: number;
  readonly seconds: number;
}

interface LoadResult {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly wrong: number;
  readonly lastBody: string;
}

export interface LoadCalls {
  load(order: LoadOrder): Promise<LoadResult>;
  /** Resolves once every stream has its first event. */
  openStreams(order: {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly path: string;
    readonly count: number;
  }): Promise<void>;
  /**
   * Waits for the end of all streams. The rate covers the time from the first to the last event.
   */
  readToEnd(): Promise<{
    readonly perSecond: number;
    readonly events: number;
    readonly seconds: number;
    readonly bytes: number;
  }>;
  close(): Promise<void>;
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
const streams: Promise<void>[] = [];
const seen = { events: 0, bytes: 0, first: 0, last: 0 };

const calls: LoadCalls = {
  async load({ url, headers, method, path, body, connections, seconds }) {
    const took: number[] = [];
    let wrong = 0;
    let lastBody = "";
    const until = performance.now() + seconds * 1_000;
    const startedAt = performance.now();
    const worker = async () => {
      while (performance.now() < until) {
        const from = performance.now();
        const { status, text } = await ask(`${url}${path}`, method, headers, body);
        took.push(performance.now() - from);
        if (status >= 300) wrong++;
        lastBody = text;
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return {
      perSecond: took.length / ((performance.now() - startedAt) / 1_000),
      p50: quantile(took, 0.5),
      p99: quantile(took, 0.99),
      wrong,
      lastBody,
    };
  },
  async openStreams({ url, headers, path, count }) {
    const present: Promise<void>[] = [];
    for (let opened = 0; opened < count; opened++) {
      present.push(
        new Promise<void>((resolve, reject) => {
          streams.push(
            new Promise<void>((end) => {
              request(`${url}${path}`, { agent: false, headers }, (response) => {
                if (response.statusCode !== 200)
                  reject(new Error(`A stream was refused with ${response.statusCode}`));
                void read(response, resolve).then(end, end);
              })
                .on("error", reject)
                .end();
            }),
          );
        }),
      );
      if (opened % 50 === 49) await Promise.all(present);
    }
    await Promise.all(present);
    Object.assign(seen, { events: 0, bytes: 0, first: 0, last: 0 });
  },
  async readToEnd() {
    await Promise.all(streams.splice(0));
    const seconds = (seen.last - seen.first) / 1_000;
    return { perSecond: seen.events / seconds, events: seen.events, seconds, bytes: seen.bytes };
  },
  close: () => Promise.resolve(agent.destroy()),
};

/** Counts only the ids, because the work of a browser on the rest is not the server's time. */
async function read(response: IncomingMessage, onFirst: () => void): Promise<void> {
  let isFirst = true;
  for await (const chunk of response) {
    const bytes = chunk as Buffer;
    let events = 0;
    for (let at = bytes.indexOf("id: "); at !== -1; at = bytes.indexOf("id: ", at + 4)) events++;
    if (isFirst && events > 0) onFirst();
    if (events > 0) isFirst = false;
    const now = performance.now();
    if (seen.events === 0 && events > 0) seen.first = now;
    seen.events += events;
    seen.bytes += bytes.length;
    if (events > 0) seen.last = now;
  }
}

function ask(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        agent,
        method,
        headers: {
          ...headers,
          ...(body === undefined
            ? {}
            : {
                "content-type": "application/json",
                "content-length": String(Buffer.byteLength(body)),
              }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
        );
        response.on("error", reject);
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

serveCalls(calls);
