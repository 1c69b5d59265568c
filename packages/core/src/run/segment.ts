import type { LanguageModelV4FunctionTool, LanguageModelV4Message } from "@ai-sdk/provider";
import type { NewEvent, RunEvent } from "@bron/protocol";
import { cardSchemas } from "@bron/protocol";
import { byteLength, inCallOrder } from "../context/model-messages.ts";
import { BronError } from "../errors.ts";
import { callModel, type ModelLimits } from "../model/call-model.ts";
import { canonicalJson } from "../policy/canonical-json.ts";
import { effectDigest } from "../policy/digest.ts";
import type { AnswerDelta, AppendRequest, AppendResult, Artifacts, Clock, Ids, Lease, Policy, RunHeader, RunLog, RunModel } from "../ports.ts";
import { attemptEffect, prepareEffect, reconcileEffect, runReadTool, type AttemptResult } from "../tool/run-tool.ts";
import type { EffectContext, Tool } from "../tool/tool.ts";
import { validateCall } from "../tool/validate-call.ts";
import { fold } from "./fold.ts";
import { flightKey, type Begin, type Outcome } from "./outcome.ts";
import { plan, type Move } from "./plan.ts";
import type { OpenAction, RunState } from "./run-state.ts";

export interface SegmentParts {
  readonly log: RunLog;
  readonly artifacts: Artifacts;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly policy: Policy;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly model: RunModel;
  readonly modelLimits: ModelLimits;
  readonly leaseMs: number;
  readonly approvalTtlMs: number;
  readonly onDelta: (delta: AnswerDelta) => void;
  /** Told after each append of this run, in order. */
  readonly onAppend: (runId: string, lastSeq: number) => void;
}

export interface SegmentInput {
  readonly lease: Lease;
  readonly run: RunHeader;
  readonly state: RunState;
  readonly drawnMicrousd: number;
  readonly databaseNow: number;
  /** Instruction and tail: what stands before the run's own messages. */
  readonly preamble: readonly LanguageModelV4Message[];
  /** Aborts when the worker must let go: its lease is at risk, or it shuts down. */
  readonly signal: AbortSignal;
  /** Resolves when someone else may have written to the log. */
  readonly nudged: () => Promise<void>;
}

export type SegmentEnd = "ended" | "parked" | "lost" | "let_go";

/** Drives one run from its claim until it ends, parks, or the lease goes. */
export function createSegment(parts: SegmentParts, input: SegmentInput) {
  const { log, clock } = parts;
  const { lease, run } = input;
  const declarations = [...parts.tools.values()].map(declare);
  const fixedBytes = byteLength(input.preamble) + byteLength(declarations);
  const clockOffset = input.databaseNow - clock.now();
  const startedAt = clock.monotonic();
  const baseActiveMs = input.state.activeMs;

  let state = input.state;
  let drawnMicrousd = input.drawnMicrousd;
  let budgetRefused = false;
  let finished: Outcome[] = [];
  let outbox: NewEvent[] = [];
  /** Thrown by something that must not throw: ends the segment, counts as a fruitless claim. */
  let defect: unknown;
  const flights = new Map<string, Flight>();
  let woken = Promise.withResolvers<void>();

  const databaseNow = () => clock.now() + clockOffset;
  const activeMs = () => baseActiveMs + Math.round(clock.monotonic() - startedAt);
  const wake = () => woken.resolve();

  const decide = (): Move =>
    plan({
      state,
      finished,
      outbox,
      inFlight: new Set(flights.keys()),
      facts: {
        run,
        tools: parts.tools,
        model: parts.model,
        fixedBytes,
        approvalTtlMs: parts.approvalTtlMs,
        now: databaseNow(),
        activeMs: activeMs(),
        drawnMicrousd,
        budgetRefused,
        random: clock.random(),
        ids: parts.ids,
      },
    });

  const readGap = async () => {
    for (const event of await log.read(lease, state.seq)) state = fold(state, event, Date.parse(event.createdAt));
  };

  const write = async (move: Move): Promise<"written" | "again" | "lost"> => {
    const request = {
      lease,
      seen: state.seq,
      events: move.events,
      leaseMs: parts.leaseMs,
      chargedMicrousd: move.chargedMicrousd,
      ...(move.release ? { release: move.release } : {}),
      ...(move.consume.length > 0 ? { consume: move.consume } : {}),
      ...(move.draw ? { draw: move.draw } : {}),
    };
    const result = await appendSurely(request);
    if (result === "given_up") return "lost";
    if (result.ok) {
      const at = Date.parse(result.createdAt);
      for (const event of move.events) state = fold(state, event, at);
      drawnMicrousd = result.drawnMicrousd;
      parts.onAppend(run.id, result.lastSeq);
      return "written";
    }
    if (result.reason === "lost") return "lost";
    if (result.reason === "budget") budgetRefused = true;
    // Refused by the database's clock a moment before ours: let it catch up, then decide on what it says.
    if (result.reason === "approval") await clock.sleep(50, input.signal);
    await readGap();
    return "again";
  };

  /**
   * A database that fails in the middle leaves open whether it committed: the log itself tells. What is in flight keeps its
   * result meanwhile; the lease decides how long we may try.
   */
  const appendSurely = async (request: AppendRequest): Promise<AppendResult | "given_up"> => {
    for (let failures = 0; ; ) {
      try {
        if (failures > 0) {
          const found = await log.read(lease, request.seen);
          if (isOurs(found, request.events)) {
            // Ours and committed; whether it also gave the lease back or drew money, the same commit decided.
            return { ok: true, lastSeq: request.seen + request.events.length, createdAt: found[0]?.createdAt ?? new Date(databaseNow()).toISOString(), drawnMicrousd: drawnMicrousd + (request.draw?.needMicrousd ?? 0) };
          }
        }
        return await log.append(request);
      } catch (error) {
        if (++failures >= maxAppendFailures) throw error;
        await clock.sleep(Math.min(500, 50 * 2 ** failures), input.signal);
        if (input.signal.aborted) return "given_up";
      }
    }
  };

  const launch = (work: Begin) => {
    const controller = new AbortController();
    const key = flightKey(work);
    flights.set(key, { controller, stoppable: work.kind !== "attempt" && work.kind !== "reconcile" });
    void perform(work, controller.signal)
      .then((outcome) => finished.push(outcome))
      .catch((error: unknown) => {
        defect = error;
      })
      .finally(() => {
        flights.delete(key);
        wake();
      });
  };

  const perform = async (work: Begin, signal: AbortSignal): Promise<Outcome> => {
    if (work.kind === "model") return { kind: "model", result: await askModel(work, signal) };
    const { action } = work;
    const tool = parts.tools.get(action.tool);
    const context = contextOf(action, "attempt" in work ? work.attempt : action.attempts, signal);
    if (!tool) return { kind: "reconcile", actionId: action.id, result: { state: "unknown" } };
    const limits = { clock, timeoutMs: tool.timeoutMs };
    if (work.kind === "attempt") return { kind: "attempt", actionId: action.id, result: await attempt(tool, action, context) };
    if (work.kind === "reconcile" && action.effect) return { kind: "reconcile", actionId: action.id, result: await reconcileEffect(tool, action.effect.prepared, context, limits) };
    const valid = validateCall(parts.tools, action.tool, action.input);
    if (!valid.ok) return { kind: "read", actionId: action.id, result: { state: "failed", error: valid.error } };
    if (work.kind === "prepare") return { kind: "prepare", actionId: action.id, result: await prepareEffect(tool, valid.input, context, { ...limits, policy: parts.policy }) };
    if (work.kind === "reconcile") return { kind: "reconcile", actionId: action.id, result: await reconcileEffect(tool, valid.input, context, limits) };
    return { kind: "read", actionId: action.id, result: await runReadTool(tool, valid.input, context, limits) };
  };

  /** What was approved is what is done: the digest is computed again from the very bytes that are handed to the tool. */
  const attempt = async (tool: Tool, action: OpenAction, context: EffectContext): Promise<AttemptResult> => {
    const { effect } = action;
    if (!effect) throw new BronError("internal", "An attempt without a ledger row");
    const decision = { verdict: effect.approval ? ("ask" as const) : ("allow" as const), reasons: effect.reasons };
    const digest = await effectDigest({ runId: run.id, ownerId: run.ownerId, actionId: action.id, tool: tool.name, prepared: effect.prepared }, decision);
    if (digest !== effect.digest) return { state: "not_done", error: { code: "digest_mismatch", message: "It is not what was approved. Nothing was done." }, retryable: false, retryAfterMs: 0 };
    return await attemptEffect(tool, effect.prepared, context, { clock, timeoutMs: tool.timeoutMs });
  };

  const askModel = async (work: Extract<Begin, { kind: "model" }>, signal: AbortSignal) =>
    await callModel({
      model: parts.model,
      options: { prompt: [...input.preamble, ...inCallOrder(state.messages)], ...(declarations.length > 0 ? { tools: declarations } : {}) },
      signal,
      limits: parts.modelLimits,
      clock,
      onDelta: (kind, delta) => parts.onDelta({ runId: run.id, step: work.step, attempt: work.attempt, kind, delta }),
    });

  const contextOf = (action: OpenAction, attemptNumber: number, signal: AbortSignal): EffectContext => {
    const post = (event: NewEvent) => {
      outbox.push(event);
      wake();
    };
    return {
      runId: run.id,
      ownerId: run.ownerId,
      actionId: action.id,
      effectId: action.effect?.id ?? action.id,
      attempt: attemptNumber,
      signal,
      log: (message, level = "info") => post({ type: "log", payload: { level, message, actionId: action.id } }),
      showCard(kind, payload) {
        const parsed = cardSchemas[kind].safeParse(payload);
        if (!parsed.success) {
          const issue = parsed.error.issues[0];
          throw new BronError("invalid_arguments", `${kind} does not fit: ${issue?.path.join(".") || "payload"}: ${issue?.message ?? "invalid"}`);
        }
        post({ type: "ui", payload: { kind, payload: JSON.parse(JSON.stringify(parsed.data)) } });
      },
      async saveArtifact(artifact) {
        const { artifactId, digest, sizeBytes } = await parts.artifacts.put({ ...artifact, ownerId: run.ownerId, runId: run.id });
        post({ type: "artifact", payload: { artifactId, kind: artifact.kind, name: artifact.name, mediaType: artifact.mediaType, digest, sizeBytes } });
        return { artifactId, digest };
      },
    };
  };

  const stop = (all: boolean) => {
    for (const flight of flights.values()) if (all || flight.stoppable) flight.controller.abort(new BronError("interrupted", "The run was stopped"));
  };

  /** Until something ends, someone else writes, or a time comes. */
  const pause = async (waitUntil: number | undefined) => {
    const capLeft = run.caps.activeMs - activeMs();
    const left = Math.min(waitUntil === undefined ? Number.POSITIVE_INFINITY : waitUntil - databaseNow(), capLeft > 0 ? capLeft : Number.POSITIVE_INFINITY);
    const over = new AbortController();
    const timer = Number.isFinite(left) ? clock.sleep(Math.max(1, left), over.signal) : new Promise<void>(() => undefined);
    const nudge = input.nudged();
    let wasNudged = false;
    await Promise.race([woken.promise, timer, nudge.then(() => (wasNudged = true)), aborted(input.signal, over.signal)]);
    over.abort();
    if (wasNudged) await readGap();
  };

  const loop = async (): Promise<SegmentEnd> => {
    for (;;) {
      if (input.signal.aborted) return "let_go";
      if (defect !== undefined) throw defect;
      woken = Promise.withResolvers<void>();
      const taken = { finished: finished.length, outbox: outbox.length };
      const move = decide();
      if (move.abort) stop(false);
      if (move.events.length > 0 || move.release) {
        const written = await write(move);
        if (written === "lost") return input.signal.aborted ? "let_go" : "lost";
        if (written === "again") continue;
        finished = finished.slice(taken.finished);
        outbox = outbox.slice(taken.outbox);
        if (move.release) return move.release === "park" ? "parked" : "ended";
      } else if (taken.finished > 0) {
        finished = finished.slice(taken.finished);
      }
      // A stop that came while the mark was written: the mark stands, and the next holder sees that nothing came of it.
      if (input.signal.aborted) return "let_go";
      for (const work of move.begin) launch(work);
      if (finished.length === 0 && outbox.length === 0 && defect === undefined) await pause(move.waitUntil);
    }
  };

  return {
    async drive(): Promise<SegmentEnd> {
      try {
        return await loop();
      } finally {
        stop(true);
      }
    },
  };
}

const maxAppendFailures = 12;

function isOurs(found: readonly RunEvent[], events: readonly NewEvent[]): boolean {
  if (events.length === 0 || found.length < events.length) return false;
  return events.every((event, index) => found[index]?.type === event.type && canonicalJson(found[index].payload) === canonicalJson(event.payload));
}

interface Flight {
  readonly controller: AbortController;
  /** An attempt at an effect that has begun is left to end: stopping it would only make doubt. */
  readonly stoppable: boolean;
}

function declare(tool: Tool): LanguageModelV4FunctionTool {
  return { type: "function", name: tool.name, description: tool.description, inputSchema: tool.inputJsonSchema };
}

function aborted(signal: AbortSignal, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true, signal: until });
  });
}
