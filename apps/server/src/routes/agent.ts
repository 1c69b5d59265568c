import type { AgentLine } from "@bron/protocol";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { ServerResponse } from "node:http";
import type { AgentRuns } from "../agent/agent-runs.ts";
import type { On } from "../door.ts";
import { problemOf } from "../problem.ts";

export interface AgentRoutesParts {
  readonly agent: AgentRuns;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** The agent runtime: a task in, an answer out. Whoever leaves can fetch the answer later. */
export function addAgentRoutes(on: On, { agent, onProblem }: AgentRoutesParts): void {
  on("POST /api/agent/run", async ({ caller: { ownerId }, body, idempotencyKey, c }) => {
    const { id } = await agent.begin(ownerId, body, idempotencyKey);
    const answer = await agent.wait(ownerId, id, untilGone(c.env.outgoing));
    return answer ? c.json(answer, 200, { location: `/api/agent/run/${id}` }) : c.body(null, 202, { location: `/api/agent/run/${id}` });
  });

  on("POST /api/agent/run/stream", async ({ caller: { ownerId }, body, idempotencyKey, c }) => {
    const { outgoing } = c.env;
    const run = await agent.begin(ownerId, body, idempotencyKey);
    const signal = untilGone(outgoing);
    outgoing.writeHead(200, { "content-type": "application/x-ndjson", "cache-control": "no-store, no-transform", "x-accel-buffering": "no", location: `/api/agent/run/${run.id}` });
    const write = (line: AgentLine) => outgoing.write(`${JSON.stringify(line)}\n`);
    // The answer has begun: from here on an error is a line, not a status.
    try {
      await agent.watch(ownerId, run, signal, write);
      const result = await agent.answer(ownerId, run.id);
      if (!signal.aborted) write(result ? { type: "result", result } : { type: "error", error: "The run goes on, but cannot be watched any longer." });
    } catch (error) {
      write({ type: "error", error: problemOf(error, (reference, cause) => onProblem(`A stream failed, reference ${reference}`, cause)).detail });
    }
    outgoing.end();
    return RESPONSE_ALREADY_SENT;
  });

  on("GET /api/agent/run/:id", async ({ caller: { ownerId }, params, c }) => {
    const answer = await agent.answer(ownerId, params.id);
    return answer ?? c.json({ status: "executing" }, 202, { "retry-after": "1" });
  });
}

function untilGone(outgoing: ServerResponse): AbortSignal {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  return gone.signal;
}
