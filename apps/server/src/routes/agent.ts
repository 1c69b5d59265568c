import type { AgentLine } from "@bron/protocol";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ServerResponse } from "node:http";
import { programOf, type Runtime } from "@bron/runtime";
import type { On } from "../register-endpoint.ts";
import { problemOf } from "../problem.ts";
import type { Streams } from "../stream/streams.ts";

interface AgentRoutesDeps {
  readonly agent: Runtime["agent"];
  /** Maximum model turns of one run. */
  readonly maxSteps: number;
  readonly streams: Streams;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** A client with this much unread is disconnected. It can fetch the result later. */
const maxUnreadBytes = 4 * 1024 * 1024;

/**
 * The agent API: takes a task and returns its result. A client that disconnects can fetch the
 * result later.
 */
export function addAgentRoutes(
  on: On,
  { agent, maxSteps, streams, onProblem }: AgentRoutesDeps,
): void {
  on("POST /api/agent/run", async ({ caller, body, idempotencyKey, c }) => {
    const { ownerId } = caller;
    const program = programOf(caller);
    const { id } = await agent.start(ownerId, body, { maxSteps, idempotencyKey, program });
    const response = await agent.wait(
      ownerId,
      id,
      AbortSignal.any([untilGone(c.env.outgoing), streams.closing]),
    );
    const headers = { location: `/api/agent/run/${id}` };
    return response
      ? c.json(response, 200, headers)
      : c.json(stillRunning, 202, { ...headers, "retry-after": "1" });
  });

  on("POST /api/agent/run/stream", async ({ caller, body, idempotencyKey, c }) => {
    const { outgoing } = c.env;
    const { ownerId } = caller;
    const stop = new AbortController();
    let why: string | undefined;
    // Reserves the stream first, so that no run is started that the client could not stream.
    await streams.hold({ outgoing, caller }, (reason) => {
      why ??= reason;
      stop.abort();
    });
    const program = programOf(caller);
    const run = await agent.start(ownerId, body, { maxSteps, idempotencyKey, program });
    const signal = AbortSignal.any([untilGone(outgoing), stop.signal]);
    outgoing.writeHead(200, {
      "content-type": "application/x-ndjson",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
      location: `/api/agent/run/${run.id}`,
    });
    const write = (line: AgentLine) => {
      if (outgoing.writableLength > maxUnreadBytes) outgoing.destroy();
      else if (!outgoing.destroyed) outgoing.write(`${JSON.stringify(line)}\n`);
    };
    // The response has started, so from here on an error is a line and not a status.
    try {
      await agent.stream(ownerId, run, signal, write);
      const result = await agent.getResponse(ownerId, run.id);
      write(
        result
          ? { type: "result", result }
          : {
              type: "error",
              error: `The run continues, but this stream has ended: ${why ?? "no more events"}. Get the result from GET /api/agent/run/${run.id}.`,
            },
      );
    } catch (error) {
      write({
        type: "error",
        error: problemOf(error, (reference, cause) =>
          onProblem(`A stream failed (reference ${reference})`, cause),
        ).detail,
      });
    }
    outgoing.end();
    return RESPONSE_ALREADY_SENT;
  });

  on("GET /api/agent/run/:id", async ({ caller: { ownerId }, params, c }) => {
    const response = await agent.getResponse(ownerId, params.id);
    return response ?? c.json(stillRunning, 202, { "retry-after": "1" });
  });
}

const stillRunning = { status: "executing" } as const;

function untilGone(outgoing: ServerResponse): AbortSignal {
  const disconnected = new AbortController();
  outgoing.once("close", () => disconnected.abort());
  return disconnected.signal;
}
