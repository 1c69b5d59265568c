import { BronError } from "@bron/core";
import {
  omitUndefined,
  type AgentLine,
  type AgentRequest,
  type AgentResponse,
  type RunView,
  isUuid,
} from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import { agentResponse } from "./agent-response.ts";
import { createAgentLines } from "./agent-lines.ts";

export interface AgentRunsDeps {
  readonly runtime: Pick<Runtime, "runs" | "approvals" | "partialTexts" | "onDelta">;
  /** Maximum model turns of one run. */
  readonly maxSteps: number;
}

/** The agent API on top of runs: start one, wait for it, or stream it. */
export interface AgentRuns {
  start(
    ownerId: string,
    request: AgentRequest,
    idempotencyKey: string | undefined,
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

export function createAgentRuns({ runtime, maxSteps }: AgentRunsDeps): AgentRuns {
  const getResponse = async (ownerId: string, runId: string) => {
    const run = await runtime.runs.get(ownerId, runId);
    const [{ events }, actions, pending] = await Promise.all([
      runtime.runs.listEvents(ownerId, runId, { afterSeq: 0, limit: 100_000 }),
      runtime.runs.actions(ownerId, runId),
      runtime.approvals.list(ownerId, { runId, pendingOnly: true }),
    ]);
    return agentResponse({ run, events, actions, pending });
  };
  return {
    async start(ownerId, { prompt, threadId, conversation, attachedContext }, idempotencyKey) {
      // A malformed id cannot exist.
      if (threadId !== undefined && !isUuid(threadId))
        throw new BronError("not_found", `Thread ${threadId} not found.`);
      const earlier = conversation
        ?.map(({ role, text }) => ({ role, content: text }))
        .filter(({ content }) => content.trim() !== "");
      const { run } = await runtime.runs.create(
        ownerId,
        { prompt, caps: { steps: maxSteps }, ...omitUndefined({ threadId, attachedContext }) },
        {
          onlyLowerCaps: true,
          ...omitUndefined({ idempotencyKey }),
          ...(earlier && earlier.length > 0 ? { earlier } : {}),
        },
      );
      return run;
    },
    getResponse,
    async wait(ownerId, runId, signal) {
      for await (const _ of runtime.runs.events(ownerId, runId, { signal, untilParked: true }));
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
      // Reasoning is not in the log, so only the process that calls the model can stream it.
      const stopReasoning = runtime.onDelta(({ runId, kind, delta }) => {
        if (runId === run.id && kind === "reasoning" && !signal.aborted)
          report([{ type: "thought_delta", delta }]);
      });
      const stopPartialTexts = await runtime.partialTexts.subscribe(
        ownerId,
        run.id,
        (partial) => signal.aborted || report(lines.fromPartialText(partial)),
      );
      try {
        for await (const event of runtime.runs.events(ownerId, run.id, {
          signal,
          untilParked: true,
        }))
          report(lines.fromEvent(event));
      } finally {
        stopReasoning();
        stopPartialTexts();
      }
    },
  };
}
