import { threadNotFound, type ModelSet, type Store } from "@bron/core";
import {
  omitUndefined,
  type AgentLine,
  type AgentRequest,
  type AgentResponse,
  type Caps,
  type RunView,
  isUuid,
} from "@bron/protocol";
import type { LiveUpdates } from "../open-live.ts";
import type { RunLogs } from "../run-logs.ts";
import { findRun } from "../services/find-run.ts";
import { startRun } from "../services/start-run.ts";
import { agentResponse } from "./agent-response.ts";
import { createAgentLines } from "./agent-lines.ts";

interface AgentRunsDeps {
  readonly store: Pick<Store, "runs" | "approvals">;
  readonly logs: RunLogs;
  readonly live: Pick<LiveUpdates, "partialTexts">;
  readonly caps: Caps;
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
}

/** The agent API on top of runs: start one, wait for it, or stream it. */
export interface AgentRuns {
  start(
    ownerId: string,
    request: AgentRequest,
    options: {
      /** Maximum model turns of the run. */
      readonly maxSteps: number;
      readonly idempotencyKey?: string | undefined;
      /** See `UserMessage`. */
      readonly program?: string | undefined;
    },
  ): Promise<RunView>;
  /**
   * The response for a finished or waiting run. Undefined while it is running. Throws not_found.
   */
  getResponse(ownerId: string, runId: string): Promise<AgentResponse | undefined>;
  /** Waits for a response, or until the signal aborts. The run continues either way. */
  wait(ownerId: string, runId: string, signal: AbortSignal): Promise<AgentResponse | undefined>;
  /** Reports every line except the last one as it arrives. */
  stream(
    ownerId: string,
    run: RunView,
    signal: AbortSignal,
    onLine: (line: AgentLine) => void,
  ): Promise<void>;
}

export function createAgentRuns({ store, logs, live, caps, modelsFor }: AgentRunsDeps): AgentRuns {
  const { runs, approvals } = store;
  const getResponse = async (ownerId: string, runId: string) => {
    const run = await findRun(runs, ownerId, runId);
    const [{ events }, actions, pending] = await Promise.all([
      logs.read(ownerId, runId, { afterSeq: 0, limit: 100_000 }),
      runs.actions(ownerId, runId),
      approvals.list(ownerId, { runId, pendingOnly: true }),
    ]);
    return agentResponse({ run, events, actions, pending });
  };
  return {
    async start(ownerId, request, { maxSteps, idempotencyKey, program }) {
      const { prompt, threadId, conversation, attachedContext } = request;
      // A malformed id cannot exist.
      if (threadId !== undefined && !isUuid(threadId)) throw threadNotFound(threadId);
      const earlier = conversation
        ?.map(({ role, text }) => ({ role, content: text }))
        .filter(({ content }) => content.trim() !== "");
      const { run } = await startRun(
        { runs, caps, modelsFor },
        ownerId,
        { prompt, caps: { steps: maxSteps }, ...omitUndefined({ threadId, attachedContext }) },
        {
          onlyLowerCaps: true,
          idempotencyKey,
          program,
          earlier: earlier?.length === 0 ? undefined : earlier,
        },
      );
      return run;
    },
    getResponse,
    async wait(ownerId, runId, signal) {
      for await (const _ of logs.events(ownerId, runId, { signal, untilParked: true }));
      return signal.aborted ? undefined : await getResponse(ownerId, runId);
    },
    async stream(ownerId, run, signal, onLine) {
      const lines = createAgentLines(run.threadId);
      // The first line names the run and the thread. Lines that arrive before it are held back.
      let early: AgentLine[] | undefined = [];
      const report = (batch: readonly AgentLine[]) => {
        if (!early) return batch.forEach(onLine);
        const first = batch.findIndex(({ type }) => type === "status");
        if (first === -1) return void early.push(...batch);
        const held = early;
        early = undefined;
        [...batch.slice(0, first + 1), ...held, ...batch.slice(first + 1)].forEach(onLine);
      };
      const stopPartialTexts = await live.partialTexts.subscribe(
        ownerId,
        run.id,
        (partial) => signal.aborted || report(lines.fromPartialText(partial)),
      );
      try {
        for await (const event of logs.events(ownerId, run.id, {
          signal,
          untilParked: true,
        }))
          report(lines.fromEvent(event));
      } finally {
        stopPartialTexts();
      }
    },
  };
}
