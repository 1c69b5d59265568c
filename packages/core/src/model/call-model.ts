import { omitUndefined, type Failure } from "@bron/protocol";
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { waitFinished } from "../run/wait-finished.ts";
import type { Clock } from "../ports/clock.ts";
import type { RunModel } from "../ports/model.ts";
import { collectMessage, type MessageCollector } from "./collect-message.ts";
import { modelFailureOf } from "./model-failure.ts";
import type { ModelMessage, ModelFailure, ModelUsage } from "./model-result.ts";

export interface ModelLimits {
  /** A call is aborted after this long without output. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** Limit for one message, text and arguments together. */
  readonly maxCharacters: number;
}

export const defaultModelLimits: ModelLimits = {
  idleMs: 60_000,
  totalMs: 300_000,
  maxCharacters: 1_000_000,
};

export interface ModelCall {
  readonly model: RunModel;
  readonly options: Pick<LanguageModelV4CallOptions, "prompt" | "tools" | "responseFormat">;
  readonly signal: AbortSignal;
  readonly limits: ModelLimits;
  readonly clock: Clock;
  onDelta(kind: "text" | "reasoning", delta: string): void;
}

/**
 * Streams one model call and collects the message. Never throws: failures are returned as values.
 */
export async function callModel(call: ModelCall): Promise<ModelMessage | ModelFailure> {
  const timeouts = startTimeouts(call);
  const collector = collectMessage(call.onDelta);
  try {
    // A provider may ignore its signal, so every wait races against the timeouts.
    const { stream } = await timeouts.race(
      call.model.model.doStream({
        ...call.options,
        maxOutputTokens: call.model.maxOutputTokens,
        abortSignal: timeouts.signal,
        includeRawChunks: false,
      }),
    );
    const reader = stream.getReader();
    try {
      for (;;) {
        const { done, value } = await timeouts.race(reader.read());
        if (done) break;
        timeouts.heartbeat();
        take(collector, value);
        if (collector.characters() > call.limits.maxCharacters) return tooLong(call);
      }
    } finally {
      reader.cancel().catch(() => undefined);
    }
    return finishMessage(collector);
  } catch (error) {
    return modelFailureOf(timeouts.reason() ?? error, {
      canceled: call.signal.aborted,
      hasOutput: collector.characters() > 0,
    });
  } finally {
    timeouts.stop();
  }
}

function take(collector: MessageCollector, part: LanguageModelV4StreamPart): void {
  if (part.type === "error") throw part.error;
  collector.take(part);
}

function tooLong({ model, limits }: ModelCall): ModelFailure {
  return {
    ok: false,
    error: {
      code: "model_response_too_long",
      why: { code: "response_too_long", model: model.name, limit: limits.maxCharacters },
    },
    retryable: false,
    cost: "unknown",
  };
}

function finishMessage(collector: MessageCollector): ModelMessage | ModelFailure {
  const message = collector.message();
  const usage = usageOf(message.usage);
  const cost = usage ?? "unknown";
  if (
    message.finish === undefined ||
    message.finish === "interrupted" ||
    message.finish === "error"
  ) {
    return {
      ok: false,
      error: { code: "model_response_invalid", why: { code: "response_cut_off" } },
      retryable: true,
      cost,
    };
  }
  if (message.finish === "content-filter") {
    return {
      ok: false,
      error: {
        code: "model_refused",
        why: { code: "response_filtered" },
      },
      retryable: false,
      cost,
    };
  }
  const callIds = new Set(message.calls.map((call) => call.callId));
  if (
    (message.text.trim() === "" && message.calls.length === 0) ||
    callIds.size !== message.calls.length
  ) {
    return {
      ok: false,
      error: {
        code: "model_response_invalid",
        why: { code: "response_empty" },
      },
      retryable: true,
      cost,
    };
  }
  return {
    ok: true,
    parts: message.parts,
    text: message.text,
    calls: message.calls,
    finish: message.finish,
    ...omitUndefined({ usage }),
  };
}

function usageOf(usage: LanguageModelV4Usage | undefined): ModelUsage | undefined {
  if (usage?.inputTokens.total === undefined || usage.outputTokens.total === undefined)
    return undefined;
  const {
    total,
    cacheRead: cachedInputTokens = 0,
    cacheWrite: cacheWriteTokens = 0,
  } = usage.inputTokens;
  return {
    inputTokens: total,
    ...(cachedInputTokens > 0 ? { cachedInputTokens } : {}),
    ...(cacheWriteTokens > 0 ? { cacheWriteTokens } : {}),
    outputTokens: usage.outputTokens.total,
    reasoningTokens: usage.outputTokens.reasoning ?? 0,
  };
}

interface CallTimeouts {
  readonly signal: AbortSignal;
  heartbeat(): void;
  stop(): void;
  race<T>(promise: PromiseLike<T>): Promise<T>;
  /** Why the timeouts ended the call, if they did. */
  reason(): Failure | undefined;
}

/** Aborts a call after too long a silence, after its total time, and when the run is canceled. */
function startTimeouts(call: ModelCall): CallTimeouts {
  const controller = new AbortController();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  let timeoutReason: Failure | undefined;
  let lastHeartbeat = call.clock.monotonic();
  const done = new AbortController();
  const end = (reason: Failure | undefined) => {
    timeoutReason ??= reason;
    controller.abort(reason);
    aborted.reject(reason ?? call.signal.reason);
  };
  const onAbort = () => end(undefined);
  const watchSilence = async () => {
    for (
      let wait = call.limits.idleMs;
      !done.signal.aborted;
      wait = lastHeartbeat + call.limits.idleMs - call.clock.monotonic()
    ) {
      if (wait <= 0)
        return end({
          code: "model_timeout",
          why: {
            code: "model_silent",
            model: call.model.name,
            seconds: seconds(call.limits.idleMs),
          },
        });
      await call.clock.sleep(wait, done.signal);
    }
  };
  const watchTotal = async () => {
    await call.clock.sleep(call.limits.totalMs, done.signal);
    if (!done.signal.aborted)
      end({
        code: "model_timeout",
        why: { code: "model_slow", model: call.model.name, seconds: seconds(call.limits.totalMs) },
      });
  };
  call.signal.addEventListener("abort", onAbort, { once: true });
  if (call.signal.aborted) onAbort();
  void watchSilence();
  void watchTotal();
  return {
    signal: controller.signal,
    heartbeat: () => {
      lastHeartbeat = call.clock.monotonic();
    },
    race: (promise) => Promise.race([promise, aborted.promise]),
    reason: () => timeoutReason,
    stop() {
      done.abort(waitFinished);
      call.signal.removeEventListener("abort", onAbort);
      controller.abort(waitFinished);
    },
  };
}

function seconds(ms: number): number {
  return Math.round(ms / 1000);
}
