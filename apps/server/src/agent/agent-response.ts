import {
  isTerminal,
  runtimeStatusOf,
  type ActionView,
  type AgentResponse,
  type ApprovalView,
  type JsonObject,
  type JsonValue,
  type RunEvent,
  type RunView,
} from "@bron/protocol";

export interface AnsweredRun {
  readonly run: RunView;
  readonly events: readonly RunEvent[];
  readonly actions: readonly ActionView[];
  readonly pending: readonly ApprovalView[];
}

/** A run that is over or waits, in the words of the agent runtime; undefined while it is under way. */
export function agentResponse({
  run,
  events,
  actions,
  pending,
}: AnsweredRun): AgentResponse | undefined {
  const status = runtimeStatusOf[run.status];
  if (status !== "awaiting_confirmation" && !isTerminal(status)) return undefined;
  const approval = status === "awaiting_confirmation" ? pending[0] : undefined;
  // A plan is Bron's own business. What it waits for comes first, else the last call.
  const calls = actions.filter(({ tool }) => tool !== "plan");
  const awaited =
    approval?.actionId ?? (run.status === "awaiting_auth" ? neededBy(events) : undefined);
  const action = calls.find(({ id }) => id === awaited) ?? calls.at(-1);
  const failure = failureOf(run, events);
  return {
    ok: status === "completed" || approval !== undefined,
    runId: run.id,
    actionId: action?.id ?? run.id,
    threadId: run.threadId,
    // Without the account that a tool needs there is nothing to confirm: it failed, for now, and says which.
    status: status === "awaiting_confirmation" && !approval ? "failed" : status,
    summary: summaryOf(run, events, approval, failure),
    mode: approval
      ? "requires_approval"
      : calls.some(({ state }) => state === "completed")
        ? "tool_executed"
        : "assistant_text",
    model: modelOf(events),
    ...(action ? { tool: action.tool, toolArgs: objectOf(action.input) } : {}),
    ...(approval
      ? {
          approval: {
            id: approval.id,
            tool: approval.tool,
            reason: approval.reason,
            preview: approval.preview,
            digest: approval.digest,
            expiresAt: approval.expiresAt,
          },
        }
      : {}),
    ...(action && action.output !== null ? { output: action.output } : {}),
    ...(failure ? { error: failure } : {}),
  };
}

function neededBy(events: readonly RunEvent[]): string | undefined {
  return events
    .flatMap((event) =>
      event.type === "auth" && event.payload.state === "needed" ? [event.payload.actionId] : [],
    )
    .at(-1);
}

function failureOf(run: RunView, events: readonly RunEvent[]): AgentResponse["error"] {
  if (run.error) return run.error;
  if (run.status !== "awaiting_auth") return undefined;
  const needed = events.findLast((event) => event.type === "auth");
  return {
    code: "missing_credentials",
    message:
      needed?.payload.state === "needed"
        ? `${needed.payload.provider}: ${needed.payload.reason}`
        : "An account must be connected first.",
  };
}

function summaryOf(
  { summary }: RunView,
  events: readonly RunEvent[],
  approval: ApprovalView | undefined,
  failure: AgentResponse["error"],
): string {
  if (approval) return `Waiting for your approval: ${approval.preview}`;
  return summary ?? lastWords(events) ?? failure?.message ?? "";
}

function lastWords(events: readonly RunEvent[]): string | undefined {
  return events
    .flatMap((event) =>
      event.type === "message" &&
      event.payload.role === "assistant" &&
      event.payload.content.trim() !== ""
        ? [event.payload.content]
        : [],
    )
    .at(-1);
}

function modelOf(events: readonly RunEvent[]): string {
  return (
    events
      .flatMap((event) =>
        event.type === "step" && event.payload.phase === "start" ? [event.payload.model] : [],
      )
      .at(-1) ?? ""
  );
}

function objectOf(value: JsonValue): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : { value };
}
