import type { FieldDiff, JsonValue } from "@bron/protocol";
import { cleanJsonText, cleanText } from "../context/clean-text.ts";
import { BronError, isOutage, messageOf } from "../errors.ts";
import type { Clock, CodedError, ProposedEffect } from "../ports.ts";
import type { PolicyDecision } from "../policy/policy-decision.ts";
import { waitFinished } from "../wait-finished.ts";
import { effectDigest } from "../policy/digest.ts";
import { AwaitsRun } from "./awaits-run.ts";
import type { EffectContext, Prepared, Reconciliation, Tool, ToolContext } from "./tool.ts";

/**
 * How calls of tools end. Values, with one exception: an outage of Bron's own storage is thrown, since it is not the tool's failure.
 * The caller tries again once storage answers.
 */

export type ToolResult =
  | { readonly state: "completed"; readonly output: JsonValue }
  | { readonly state: "failed"; readonly error: CodedError }
  | { readonly state: "canceled" }
  | { readonly state: "unknown"; readonly error: CodedError }
  /** It goes on when this child run is over. */
  | { readonly state: "awaits_run"; readonly runId: string }
  | NeedsAuth;

/** Nothing happened, since an account is not connected, or no longer. */
export interface NeedsAuth {
  readonly state: "needs_auth";
  readonly provider: string;
  readonly reason: string;
}

export type AttemptResult =
  | { readonly state: "done"; readonly output: JsonValue }
  /** Proved: nothing happened. */
  | {
      readonly state: "not_done";
      readonly error: CodedError;
      readonly retryable: boolean;
      readonly retryAfterMs: number;
      readonly isOutage: boolean;
    }
  | { readonly state: "doubt"; readonly error: CodedError }
  | NeedsAuth;

export type PrepareResult =
  | {
      readonly state: "prepared";
      readonly prepared: JsonValue;
      readonly preview: string;
      readonly digest: string;
      readonly decision: PolicyDecision;
      readonly typed?: string;
      readonly difference?: readonly FieldDiff[];
    }
  | { readonly state: "failed"; readonly error: CodedError }
  | NeedsAuth;

export interface Limits {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

export async function runReadTool(
  tool: Tool,
  input: JsonValue,
  context: EffectContext,
  { clock, timeoutMs }: Limits,
): Promise<ToolResult> {
  const ended = await bounded(
    (signal) => tool.execute(input, { ...context, signal }),
    context.signal,
    clock,
    timeoutMs,
  );
  if (ended.kind === "value") return { state: "completed", output: asJson(ended.value) };
  if (ended.kind === "error" && ended.error instanceof AwaitsRun)
    return { state: "awaits_run", runId: ended.error.runId };
  if (ended.kind === "error" && isOutage(ended.error)) throw ended.error;
  if (ended.kind === "error")
    return needsAuth(ended.error) ?? { state: "failed", error: codedError(ended.error) };
  if (ended.kind === "stopped" && tool.repeatable) return { state: "canceled" };
  const message =
    ended.kind === "stopped"
      ? "It was stopped while it ran."
      : `It did not end within ${timeoutMs / 1000} s.`;
  return tool.repeatable
    ? { state: "failed", error: { code: "tool_timeout", message } }
    : { state: "unknown", error: { code: "effect_unknown", message } };
}

export async function attemptEffect(
  tool: Tool,
  prepared: JsonValue,
  context: EffectContext,
  { clock, timeoutMs }: Limits,
): Promise<AttemptResult> {
  const ended = await bounded(
    (signal) => tool.execute(prepared, { ...context, signal }),
    context.signal,
    clock,
    timeoutMs,
  );
  if (ended.kind === "value") return { state: "done", output: asJson(ended.value) };
  if (ended.kind === "error" && BronError.is(ended.error, "effect_not_done")) {
    const { message, retryable, details } = ended.error;
    return {
      state: "not_done",
      error: { code: "effect_not_done", message: cleanText(message) },
      retryable,
      retryAfterMs: Number(details["retryAfterMs"] ?? 0),
      isOutage: isOutage(ended.error),
    };
  }
  const auth = ended.kind === "error" ? needsAuth(ended.error) : undefined;
  if (auth) return auth;
  const message =
    ended.kind === "error"
      ? cleanText(messageOf(ended.error))
      : ended.kind === "stopped"
        ? "It was stopped while it ran."
        : `No answer within ${timeoutMs / 1000} s.`;
  return { state: "doubt", error: { code: "effect_unknown", message } };
}

type FormResult =
  | { readonly state: "form"; readonly prepared: JsonValue; readonly preview: string }
  | Extract<PrepareResult, { readonly state: "failed" }>
  | NeedsAuth;

/** The final form that a tool makes, or why there is none. */
export async function prepareForm(
  prepare: (context: ToolContext) => Promise<Prepared>,
  context: ToolContext,
  { clock, timeoutMs }: Limits,
): Promise<FormResult> {
  const ended = await bounded(
    (signal) => prepare({ ...context, signal }),
    context.signal,
    clock,
    timeoutMs,
  );
  if (ended.kind === "error" && isOutage(ended.error)) throw ended.error;
  if (ended.kind !== "value") {
    const auth = ended.kind === "error" ? needsAuth(ended.error) : undefined;
    const error =
      ended.kind === "error"
        ? codedError(ended.error)
        : ({
            code: "tool_timeout",
            message: "It could not be prepared in time. Nothing happened.",
          } as const);
    return auth ?? { state: "failed", error };
  }
  const form = preparedForm(ended.value);
  if (!form.ok)
    return {
      state: "failed",
      error: {
        code: "tool_failed",
        message: `It could not be prepared: ${form.why} Nothing happened.`,
      },
    };
  return { state: "form", prepared: form.prepared, preview: form.preview };
}

type JudgeEffect = (effect: ProposedEffect) => Promise<PolicyDecision>;

/** A form as it is judged, and the digest of both. */
export async function proposeEffect(
  tool: Tool,
  { prepared, preview }: { readonly prepared: JsonValue; readonly preview: string },
  context: ToolContext,
  judge: JudgeEffect,
): Promise<PrepareResult> {
  const effect: ProposedEffect = {
    runId: context.runId,
    ownerId: context.ownerId,
    actionId: context.actionId,
    tool: tool.name,
    seenBy: tool.seenBy,
    prepared,
  };
  const decision = await judge(effect).catch((error: unknown) => uncheckedError(error));
  // Without the owner's rules nothing is proposed: they may deny it.
  if ("code" in decision) return { state: "failed", error: decision };
  return {
    state: "prepared",
    prepared,
    preview,
    digest: await effectDigest(effect, decision),
    decision,
  };
}

export async function prepareEffect(
  tool: Tool,
  input: JsonValue,
  context: ToolContext,
  { judge, ...limits }: Limits & { readonly judge: JudgeEffect },
): Promise<PrepareResult> {
  const form = await prepareForm((inner) => tool.prepare(input, inner), context, limits);
  return form.state === "form" ? await proposeEffect(tool, form, context, judge) : form;
}

const reconcileTries = 3;

/** What cannot be found out after a few tries stays unknown. */
export async function reconcileEffect(
  tool: Tool,
  prepared: JsonValue,
  context: EffectContext,
  { clock, timeoutMs }: Limits,
): Promise<Reconciliation> {
  const { reconcile } = tool;
  if (!reconcile) return { state: "unknown" };
  for (let attempt = 1; ; attempt++) {
    const ended = await bounded(
      (signal) => reconcile(prepared, { ...context, signal }),
      context.signal,
      clock,
      timeoutMs,
    );
    if (ended.kind === "value") return asReconciliation(ended.value);
    if (ended.kind === "error" && isOutage(ended.error)) throw ended.error;
    if (ended.kind === "stopped" || attempt === reconcileTries)
      return {
        state: "unknown",
        check:
          ended.kind === "error"
            ? cleanText(messageOf(ended.error))
            : `Look outside whether ${tool.name} happened: it could not be found out in time.`,
      };
    await clock.sleep(250 * 2 ** attempt, context.signal);
  }
}

/** A tool of someone's own may answer anything; what is no answer is doubt. */
function asReconciliation(value: Reconciliation | undefined): Reconciliation {
  if (value?.state === "done") return { state: "done", output: asJson(value.output) };
  if (value?.state === "not_done") return value;
  return {
    state: "unknown",
    ...(typeof value?.check === "string" ? { check: cleanText(value.check) } : {}),
  };
}

type Ended<T> =
  | { kind: "value"; value: T }
  | { kind: "error"; error: unknown }
  | { kind: "timeout" }
  | { kind: "stopped" };

/** Ends at the time limit or the stop even when the callee does not listen to its signal. */
async function bounded<T>(
  start: (signal: AbortSignal) => Promise<T>,
  stop: AbortSignal,
  clock: Clock,
  timeoutMs: number,
): Promise<Ended<T>> {
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
    if (!done.signal.aborted)
      controller.abort(new BronError("tool_timeout", `No answer within ${timeoutMs} ms`));
    return { kind: "timeout" };
  });
  try {
    const work = stop.aborted ? stopped.promise : call(start, controller.signal);
    return await Promise.race([work, timeout, stopped.promise]);
  } finally {
    done.abort(waitFinished);
    stop.removeEventListener("abort", onStop);
  }
}

async function call<T>(
  start: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
): Promise<Ended<T>> {
  try {
    return { kind: "value", value: await start(signal) };
  } catch (error) {
    return { kind: "error", error };
  }
}

function needsAuth(error: unknown): NeedsAuth | undefined {
  if (!BronError.is(error, "missing_credentials")) return undefined;
  const { provider } = error.details;
  return typeof provider === "string"
    ? { state: "needs_auth", provider, reason: cleanText(error.message) }
    : undefined;
}

function codedError(error: unknown): CodedError {
  return BronError.is(error)
    ? { code: error.code, message: cleanText(error.message) }
    : { code: "tool_failed", message: cleanText(messageOf(error)) };
}

/** Only Bron's own words: what a driver or a defect says is for the log of the process. */
function uncheckedError(error: unknown): CodedError {
  if (isOutage(error)) throw error;
  const why = BronError.is(error) ? ` ${cleanText(error.message)}` : "";
  return {
    code: BronError.is(error) ? error.code : "tool_failed",
    message: `It could not be checked against your rules, so nothing was done.${why}`,
  };
}

const maxPreparedCharacters = 30_000_000;

type Form =
  | { readonly ok: true; readonly prepared: JsonValue; readonly preview: string }
  | { readonly ok: false; readonly why: string };

/** What is approved is what is done: it is taken whole or not at all. */
function preparedForm(value: unknown): Form {
  if (
    typeof value !== "object" ||
    value === null ||
    !("prepared" in value) ||
    !("preview" in value) ||
    typeof value.preview !== "string"
  )
    return { ok: false, why: "the tool did not say what it would do." };
  let text: string | undefined;
  try {
    text = JSON.stringify(value.prepared) as string | undefined;
  } catch (error) {
    return { ok: false, why: `it is not JSON (${messageOf(error)}).` };
  }
  if (text === undefined) return { ok: false, why: "there is nothing to do." };
  if (text.length > maxPreparedCharacters || depthOf(text) > maxDepth)
    return { ok: false, why: "it is too large." };
  return {
    ok: true,
    prepared: JSON.parse(cleanJsonText(text)) as JsonValue,
    preview: cleanText(value.preview),
  };
}

const maxDepth = 200;

/** How deep objects and arrays nest in a JSON text. Strings are skipped as a whole: the bytes of a mail may be 30 million characters. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '"') index = endOfString(text, index);
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth--;
  }
  return deepest;
}

/** Of the quote that closes what opens at `start`: the first with an even number of backslashes before it. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === "\\") first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
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
  if (text.length > maxOutputCharacters || depthOf(text) > maxDepth)
    return `${cleanText(text.slice(0, maxOutputCharacters))}… (cut: ${text.length} characters in all)`;
  return JSON.parse(cleanJsonText(text)) as JsonValue;
}
