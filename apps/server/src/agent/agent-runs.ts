import { BronError } from "@bron/core";
import { isUuid } from "../is-uuid.ts";
import {
  omitUndefined,
  type AgentLine,
  type AgentRequest,
  type AgentResponse,
  type RunView,
} from "@bron/protocol";
import type { Runtime } from "bron";
import { agentResponse } from "./agent-response.ts";
import { createAgentLines } from "./agent-lines.ts";

export interface AgentRunsDeps {
  readonly runtime: Pick<Runtime, "runs" | "approvals" | "partialTexts" | "onDelta">;
  /** Model turns of one run. */
  readonly maxSteps: number;
}

/** The agent runtime over Bron's runs: begin one, wait for it, watch it. */
export interface AgentRuns {
  begin(
    ownerId: string,
    request: AgentRequest,
    idempotencyKey: string | undefined,
  ): Promise<RunView>;
  /** Of a run that is over or waits; undefined while it is under way. Throws not_found. */
  answer(ownerId: string, runId: string): Promise<AgentResponse | undefined>;
  /** Waits until there is an answer, or the signal aborts. The run goes on either way. */
  wait(ownerId: string, runId: string, signal: AbortSignal): Promise<AgentResponse | undefined>;
  /** Every line but the last, as they come. */
  watch(
    ownerId: string,
    run: RunView,
    signal: AbortSignal,
    onLine: (line: AgentLine) => void,
  ): Promise<void>;
}

export function createAgentRuns({ runtime, maxSteps }: AgentRunsDeps): AgentRuns {
  const answer = async (ownerId: string, runId: string) => {
    const run = await runtime.runs.get(ownerId, runId);
    const [{ events }, actions, pending] = await Promise.all([
      runtime.runs.listEvents(ownerId, runId, { afterSeq: 0, limit: 100_000 }),
      runtime.runs.actions(ownerId, runId),
      runtime.approvals.list(ownerId, { runId, pendingOnly: true }),
    ]);
    return agentResponse({ run, events, actions, pending });
  };
  return {
    begin: (ownerId, { prompt, threadId, conversation, attachedContext }, idempotencyKey) => {
      // A name that no thread can have is one that there is not.
      if (threadId !== undefined && !isUuid(threadId))
        throw new BronError("not_found", `Thread ${threadId} not found.`);
      const earlier = conversation
        ?.map(({ role, text }) => ({ role, content: text }))
        .filter(({ content }) => content.trim() !== "");
      return runtime.runs.create(
        ownerId,
        { prompt, caps: { steps: maxSteps }, ...omitUndefined({ threadId, attachedContext }) },
        {
          onlyLowerCaps: true,
          ...omitUndefined({ idempotencyKey }),
          ...(earlier && earlier.length > 0 ? { earlier } : {}),
        },
      );
    },
    answer,
    async wait(ownerId, runId, signal) {
      for await (const _ of runtime.runs.events(ownerId, runId, { signal, untilParked: true }));
      return signal.aborted ? undefined : await answer(ownerId, runId);
    },
    async watch(ownerId, run, signal, onLine) {
      const lines = createAgentLines(run.threadId);
      // The first line says which run and thread it is: what is thought or said before it is read waits for it.
      let early: AgentLine[] | undefined = [];
      const tell = (some: readonly AgentLine[]) => {
        if (!early) return some.forEach(onLine);
        const first = some.findIndex(({ type }) => type === "status");
        if (first === -1) return void early.push(...some);
        const waited = early;
        early = undefined;
        [...some.slice(0, first + 1), ...waited, ...some.slice(first + 1)].forEach(onLine);
      };
      // Thoughts are told only where they are thought: they are in no log.
      const stopThoughts = runtime.onDelta(({ runId, kind, delta }) => {
        if (runId === run.id && kind === "reasoning" && !signal.aborted)
          tell([{ type: "thought_delta", delta }]);
      });
      const stopAnswers = await runtime.partialTexts.subscribe(
        ownerId,
        run.id,
        (said) => signal.aborted || tell(lines.ofAnswer(said)),
      );
      try {
        for await (const event of runtime.runs.events(ownerId, run.id, {
          signal,
          untilParked: true,
        }))
          tell(lines.ofEvent(event));
      } finally {
        stopThoughts();
        stopAnswers();
      }
    },
  };
}
