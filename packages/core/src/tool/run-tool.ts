import type { JsonValue } from "@bron/protocol";
import { cleanJsonText, cleanText } from "../context/clean-text.ts";
import { BronError, messageOf } from "../errors.ts";
import type { Clock, CodedError, Policy, PolicyDecision, ProposedEffect } from "../ports.ts";
import { over } from "../over.ts";
import { effectDigest } from "../policy/digest.ts";
import type { EffectContext, Reconciliation, Tool, ToolContext } from "./tool.ts";

/** How calls of tools end. Values, never throws: one result for each. */

export type ToolResult =
  | { readonly state: "completed"; readonly output: JsonValue }
  | { readonly state: "failed"; readonly error: CodedError }
  | { readonly state: "canceled" }
  | { readonly state: "unknown"; readonly error: CodedError };

export type AttemptResult =
  | { readonly state: "done"; readonly output: JsonValue }
  /** Proved: nothing happened. */
  | { readonly state: "not_done"; readonly error: CodedError; readonly retryable: boolean; readonly retryAfterMs: number }
  | { readonly state: "doubt"; readonly error: CodedError };

export type PrepareResult =
  | { readonly ok: true; readonly prepared: JsonValue; readonly preview: string; readonly digest: string; readonly decision: PolicyDecision }
  | { readonly ok: false; readonly error: CodedError };

interface Limits {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

export async function runReadTool(tool: Tool, input: JsonValue, context: EffectContext, { clock, timeoutMs }: Limits): Promise<ToolResult> {
  const ended = await bounded((signal) => tool.execute(input, { ...context, signal }), context.signal, clock, timeoutMs);
  if (ended.kind === "value") return { state: "completed", output: asJson(ended.value) };
  if (ended.kind === "error") return { state: "failed", error: codedError(ended.error) };
  if (ended.kind === "stopped" && tool.repeatable) return { state: "canceled" };
  const message = ended.kind === "stopped" ? "It was stopped while it ran." : `It did not end within ${timeoutMs / 1000} s.`;
  return tool.repeatable ? { state: "failed", error: { code: "tool_timeout", message } } : { state: "unknown", error: { code: "effect_unknown", message } };
}

export async function attemptEffect(tool: Tool, prepared: JsonValue, context: EffectContext, { clock, timeoutMs }: Limits): Promise<AttemptResult> {
  const ended = await bounded((signal) => tool.execute(prepared, { ...context, signal }), context.signal, clock, timeoutMs);
  if (ended.kind === "value") return { state: "done", output: asJson(ended.value) };
  if (ended.kind === "error" && BronError.is(ended.error, "effect_not_done")) {
    const { message, retryable, details } = ended.error;
    return { state: "not_done", error: { code: "effect_not_done", message: cleanText(message) }, retryable, retryAfterMs: Number(details["retryAfterMs"] ?? 0) };
  }
  const message = ended.kind === "error" ? cleanText(messageOf(ended.error)) : ended.kind === "stopped" ? "It was stopped while it ran." : `No answer within ${timeoutMs / 1000} s.`;
  return { state: "doubt", error: { code: "effect_unknown", message } };
}

export async function prepareEffect(tool: Tool, input: JsonValue, context: ToolContext, { clock, timeoutMs, policy }: Limits & { readonly policy: Policy }): Promise<PrepareResult> {
  const ended = await bounded((signal) => tool.prepare(input, { ...context, signal }), context.signal, clock, timeoutMs);
  if (ended.kind !== "value") {
    const error = ended.kind === "error" ? codedError(ended.error) : ({ code: "tool_timeout", message: "It could not be prepared in time. Nothing happened." } as const);
    return { ok: false, error };
  }
  const prepared = asJson(ended.value.prepared);
  const effect: ProposedEffect = { runId: context.runId, ownerId: context.ownerId, actionId: context.actionId, tool: tool.name, prepared };
  const decision = policy(effect);
  return { ok: true, prepared, preview: cleanText(ended.value.preview), digest: await effectDigest(effect, decision), decision };
}

const reconcileTries = 3;

/** What cannot be found out after a few tries stays unknown. */
export async function reconcileEffect(tool: Tool, prepared: JsonValue, context: EffectContext, { clock, timeoutMs }: Limits): Promise<Reconciliation> {
  const { reconcile } = tool;
  if (!reconcile) return { state: "unknown" };
  for (let attempt = 1; ; attempt++) {
    const ended = await bounded((signal) => reconcile(prepared, { ...context, signal }), context.signal, clock, timeoutMs);
    if (ended.kind === "value") return ended.value.state === "done" ? { state: "done", output: asJson(ended.value.output) } : ended.value;
    if (ended.kind === "stopped" || attempt === reconcileTries) return { state: "unknown", check: ended.kind === "error" ? cleanText(messageOf(ended.error)) : "It could not be found out in time." };
    await clock.sleep(250 * 2 ** attempt, context.signal);
  }
}

type Ended<T> = { kind: "value"; value: T } | { kind: "error"; error: unknown } | { kind: "timeout" } | { kind: "stopped" };

/** Ends at the time limit or the stop even when the callee does not listen to its signal. */
async function bounded<T>(start: (signal: AbortSignal) => Promise<T>, stop: AbortSignal, clock: Clock, timeoutMs: number): Promise<Ended<T>> {
  const controller = new AbortController();
  const done = new AbortController();
  const stopped = Promise.withResolvers<Ended<T>>();
  const onStop = () => {
    controller.abort(stop.reason);
    stopped.resolve({ kind: "stopped" });
  };
  stop.addEventListener("abort", onStop, { once: true });
  if (stop.aborted) onStop();
  const timeout = clock.sleep(timeoutMs, done.signal).then((): Ended<T> => {
    if (!done.signal.aborted) controller.abort(new BronError("tool_timeout", `No answer within ${timeoutMs} ms`));
    return { kind: "timeout" };
  });
  try {
    const work = stop.aborted ? stopped.promise : call(start, controller.signal);
    return await Promise.race([work, timeout, stopped.promise]);
  } finally {
    done.abort(over);
    stop.removeEventListener("abort", onStop);
  }
}

async function call<T>(start: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<Ended<T>> {
  try {
    return { kind: "value", value: await start(signal) };
  } catch (error) {
    return { kind: "error", error };
  }
}

function codedError(error: unknown): CodedError {
  return BronError.is(error) ? { code: error.code, message: cleanText(error.message) } : { code: "tool_failed", message: cleanText(messageOf(error)) };
}

const maxOutputCharacters = 200_000;

/** Whatever a tool returned, as bounded JSON. */
function asJson(value: unknown): JsonValue {
  let text: string | undefined;
  try {
    text = JSON.stringify(value ?? null) as string | undefined;
  } catch {
    // Circular, or a bigint: its words are better than none.
  }
  if (text === undefined) return cleanText(String(value));
  if (text.length > maxOutputCharacters) return `${cleanText(text.slice(0, maxOutputCharacters))}… (cut: ${text.length} characters in all)`;
  return JSON.parse(cleanJsonText(text)) as JsonValue;
}
