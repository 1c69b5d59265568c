import {
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
} from "node:http";

interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
  readonly retry?: string;
  readonly comment?: string;
}

export interface StreamReader {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** All frames so far, including comments. */
  readonly frames: Frame[];
  readonly response: IncomingMessage;
  /** The sequence numbers of the events so far. */
  seqs(): number[];
  /** Resolves when a frame matches, or when the stream has ended. */
  until(fits: (frames: readonly Frame[]) => boolean): Promise<void>;
  /** True if the server ended the stream, false if the connection was cut. */
  readonly ended: Promise<boolean>;
  /** Starts to read a paused stream. */
  go(): void;
  leave(): void;
}

export function readStream(
  url: string,
  headers: OutgoingHttpHeaders,
  options: { paused?: boolean } = {},
): Promise<StreamReader> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { headers: { accept: "text/event-stream", ...headers }, agent: false },
      (response) => {
        const frames: Frame[] = [];
        let rest = "";
        let hasEnded = false;
        let wake: (() => void)[] = [];
        const tell = () => {
          const all = wake;
          wake = [];
          for (const one of all) one();
        };
        const ended = new Promise<boolean>((settle) => {
          const over = (isComplete: boolean) => {
            hasEnded = true;
            settle(isComplete);
            tell();
          };
          response.on("end", () => over(true));
          response.on("close", () => over(false));
          response.on("error", () => over(false));
        });
        response.setEncoding("utf8");
        const take = (chunk: string) => {
          const blocks = (rest + chunk).split("\n\n");
          rest = blocks.pop() ?? "";
          frames.push(...blocks.map(toFrame));
          tell();
        };
        if (options.paused === true) response.pause();
        else response.on("data", take);
        const until = async (fits: (frames: readonly Frame[]) => boolean) => {
          while (!fits(frames) && !hasEnded) await new Promise<void>((next) => wake.push(next));
        };
        const seqs = () => frames.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          frames,
          response,
          seqs,
          until,
          ended,
          go: () => void response.on("data", take).resume(),
          leave: () => sent.destroy(),
        });
      },
    );
    sent.on("error", reject);
    sent.end();
  });
}

function toFrame(block: string): Frame {
  const lines = block.split("\n").map((line) => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon) || "comment", line.slice(colon + 1).replace(/^ /, "")];
  });
  return Object.fromEntries(lines) as Frame;
}
