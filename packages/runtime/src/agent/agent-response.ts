import {
  describeFailure,
  describeReasons,
  isTerminal,
  runtimeStatusOf,
  type ActionView,
  type AgentResponse,
  type ApprovalView,
  type JsonObject,
  type JsonValue,
  type RunEvent,
  type RunView,
  omitUndefined,
} from "@bron/protocol";

interface AgentRunData {
  readonly run: RunView;
  readonly events: readonly RunEvent[];
  readonly actions: readonly ActionView[];
  readonly pending: readonly ApprovalView[];
}

/**
 * Describes a finished or waiting run in the terms of the agent API. Undefined while it is running.
 */
export function agentResponse({
  run,
  events,
  actions,
  pending,
}: AgentRunData): AgentResponse | undefined {
  const status = runtimeStatusOf[run.status];
  if (status !== "awaiting_confirmation" && !isTerminal(status)) return undefined;
  const approval = status === "awaiting_confirmation" ? pending[0] : undefined;
  const awaited =
    approval?.actionId ??
    (run.status === "awaiting_auth" ? actionWaitingForAccount(events) : undefined);
  // Prefers the action that the run waits for over the last one.
  const action = actions.find(({ id }) => id === awaited) ?? actions.at(-1);
  const failure = failureOf(run, events);
  return {
    ok: status === "completed" || approval !== undefined,
    runId: run.id,
    actionId: action?.id ?? run.id,
    threadId: run.threadId,
    // A run that waits for an account has nothing to confirm, so it counts as failed, with the
    // provider as the reason.
    status: status === "awaiting_confirmation" && !approval ? "failed" : status,
    summary: summaryOf(run, events, approval, failure),
    mode: approval
      ? "requires_approval"
      : actions.some(({ state }) => state === "completed")
        ? "tool_executed"
        : "assistant_text",
    model: modelOf(events),
    ...(action ? { tool: action.tool, toolArgs: objectOf(action.input) } : {}),
    ...(approval
      ? {
          approval: {
            id: approval.id,
            tool: approval.tool,
            reason: describeReasons(approval.reasons),
            preview: approval.preview,
            digest: approval.digest,
            expiresAt: approval.expiresAt,
          },
        }
      : {}),
    ...(action && action.output !== null ? { output: action.output } : {}),
    ...omitUndefined({ error: failure }),
  };
}

function actionWaitingForAccount(events: readonly RunEvent[]): string | undefined {
  return events
    .flatMap((event) =>
      event.type === "auth" && event.payload.state === "needed" ? [event.payload.actionId] : [],
    )
    .at(-1);
}

function failureOf(run: RunView, events: readonly RunEvent[]): AgentResponse["error"] {
  if (run.error) return { code: run.error.code, message: describeFailure(run.error) };
  if (run.status !== "awaiting_auth") return undefined;
  const needed = events.findLast((event) => event.type === "auth");
  return {
    code: "missing_credentials",
    message:
      needed?.payload.state === "needed"
        ? `${needed.payload.provider}: ${needed.payload.reason}`
        : "Connect an account first.",
  };
}

function summaryOf(
  { summary }: RunView,
  events: readonly RunEvent[],
  approval: ApprovalView | undefined,
  failure: AgentResponse["error"],
): string {
  if (approval) return `Waiting for your approval: ${approval.preview}`;
  return summary ?? lastMessage(events) ?? failure?.message ?? "";
}

function lastMessage(events: readonly RunEvent[]): string | undefined {
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
