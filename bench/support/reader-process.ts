// Opens many streams of one run over HTTP and records when each of them received each event.
import { Agent, get, type IncomingMessage } from "node:http";
import { largest, quantile } from "./figures.ts";
import { serveCalls } from "./remote-calls.ts";

export interface ReaderCalls {
  /** Resolves once all streams have received the current log. */
  subscribe(order: {
    readonly url: string;
    readonly cookie: string;
    readonly runId: string;
    readonly streamCount: number;
  }): Promise<void>;
  /** Waits for the end of the run, then compares the arrivals with the commits. */
  latencies(commits: Record<number, number>): Promise<{
    readonly p50: number;
    readonly p99: number;
    readonly max: number;
    readonly samples: number;
    readonly missing: number;
  }>;
  close(): Promise<void>;
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
const arrivals: { readonly seq: number; readonly at: number }[] = [];
const openStreams: Promise<void>[] = [];
/** Events that existed before all streams were open are not counted. */
let countedFrom = 0;

/** Reads only the ids, because the work of a browser on the rest is not Bron's time. */
async function read(response: IncomingMessage, onFirst: () => void): Promise<void> {
  let rest = "";
  for await (const chunk of response.setEncoding("latin1")) {
    const at = performance.timeOrigin + performance.now();
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!line.startsWith("id: ")) continue;
      const seq = Number(line.slice(4));
      if (seq === 1) onFirst();
      arrivals.push({ seq, at });
    }
  }
}

const calls: ReaderCalls = {
  async subscribe({ url, cookie, runId, streamCount }) {
    const present: Promise<void>[] = [];
    for (let index = 0; index < streamCount; index++) {
      present.push(
        new Promise<void>((resolve, reject) => {
          const ended = new Promise<void>((end, fail) => {
            get(
              `${url}/api/runs/${runId}/stream`,
              { agent, headers: { cookie, accept: "text/event-stream" } },
              (response) => {
                if (response.statusCode !== 200)
                  reject(new Error(`A stream was refused with ${response.statusCode}`));
                read(response, resolve).then(end, fail);
              },
            ).on("error", reject);
          });
          openStreams.push(ended);
        }),
      );
      if (index % 50 === 49) await Promise.all(present);
    }
    await Promise.all(present);
    countedFrom = largest(arrivals.map(({ seq }) => seq)) + 20;
  },
  async latencies(commits) {
    await Promise.all(openStreams);
    const counted = arrivals.filter(({ seq }) => seq >= countedFrom);
    const samples = counted.map(({ seq, at }) => at - (commits[seq] ?? Number.NaN));
    const lastSeq = largest(Object.keys(commits).map(Number));
    const missing = openStreams.length * (lastSeq - countedFrom + 1) - counted.length;
    return {
      p50: quantile(samples, 0.5),
      p99: quantile(samples, 0.99),
      max: quantile(samples, 1),
      samples: samples.length,
      missing,
    };
  },
  close: () => Promise.resolve(agent.destroy()),
};
serveCalls(calls);
