import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { waitFinished } from "../wait-finished.ts";
import type { Clock, CodedError, RunModel } from "../ports.ts";
import { collectMessage, type MessageCollector } from "./collect-message.ts";
import { modelFailureOf } from "./model-failure.ts";
import type { ModelAnswer, ModelFailure, ModelUsage } from "./model-turn.ts";

export interface ModelLimits {
  /** Silence after which a call is given up. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** Characters of one answer, text and arguments together. */
  readonly maxCharacters: number;
}

export const defaultModelLimits: ModelLimits = {
  idleMs: 60_000,
  totalMs: 300_000,
  maxCharacters: 1_000_000,
};

export interface ModelCall {
  readonly model: RunModel;
  readonly options: Pick<LanguageModelV4CallOptions, "prompt" | "tools">;
  readonly signal: AbortSignal;
  readonly limits: ModelLimits;
  readonly clock: Clock;
  onDelta(kind: "text" | "reasoning", delta: string): void;
}

/** One call, streamed and collected. Never throws: a model that cannot be reached is a value. */
export async function callModel(call: ModelCall): Promise<ModelAnswer | ModelFailure> {
  const watch = createWatch(call);
  const collector = collectMessage(call.onDelta);
  try {
    // Raced, since a provider may not listen to its signal.
    const { stream } = await watch.race(
      call.model.model.doStream({
        ...call.options,
        maxOutputTokens: call.model.maxOutputTokens,
        abortSignal: watch.signal,
        includeRawChunks: false,
      }),
    );
    const reader = stream.getReader();
    try {
      for (;;) {
        const { done, value } = await watch.race(reader.read());
        if (done) break;
        watch.heartbeat();
        take(collector, value);
        if (collector.characters() > call.limits.maxCharacters) return runaway(call, collector);
      }
    } finally {
      reader.cancel().catch(() => undefined);
    }
    return finishAnswer(collector);
  } catch (error) {
    return modelFailureOf(watch.reason() ?? error, {
      stopped: call.signal.aborted,
      answering: collector.characters() > 0,
    });
  } finally {
    watch.stop();
  }
}

function take(collector: MessageCollector, part: LanguageModelV4StreamPart): void {
  if (part.type === "error") throw part.error;
  collector.take(part);
}

function runaway(call: ModelCall, collector: MessageCollector): ModelFailure {
  const message = `${call.model.name} went on past ${call.limits.maxCharacters} characters (${collector.characters()}) and was stopped.`;
  return {
    ok: false,
    error: { code: "model_runaway", message },
    retryable: false,
    cost: "unknown",
  };
}

function finishAnswer(collector: MessageCollector): ModelAnswer | ModelFailure {
  const answer = collector.answer();
  const usage = usageOf(answer.usage);
  const cost = usage ?? "unknown";
  if (answer.finish === undefined || answer.finish === "interrupted" || answer.finish === "error") {
    return {
      ok: false,
      error: { code: "model_nonsense", message: "The model's answer broke off before its end." },
      retryable: true,
      cost,
    };
  }
  if (answer.finish === "content-filter") {
    return {
      ok: false,
      error: { code: "model_refused", message: "The provider's safety filter stopped the answer." },
      retryable: false,
      cost,
    };
  }
  const callIds = new Set(answer.calls.map((call) => call.callId));
  if (
    (answer.text.trim() === "" && answer.calls.length === 0) ||
    callIds.size !== answer.calls.length
  ) {
    return {
      ok: false,
      error: {
        code: "model_nonsense",
        message: "The model answered with neither words nor a usable tool call.",
      },
      retryable: true,
      cost,
    };
  }
  return {
    ok: true,
    parts: answer.parts,
    text: answer.text,
    calls: answer.calls,
    finish: answer.finish,
    ...(usage ? { usage } : {}),
  };
}

function usageOf(usage: LanguageModelV4Usage | undefined): ModelUsage | undefined {
  if (usage?.inputTokens.total === undefined || usage.outputTokens.total === undefined)
    return undefined;
  return {
    inputTokens: usage.inputTokens.total,
    outputTokens: usage.outputTokens.total,
    reasoningTokens: usage.outputTokens.reasoning ?? 0,
  };
}

interface Watch {
  readonly signal: AbortSignal;
  heartbeat(): void;
  stop(): void;
  race<T>(promise: PromiseLike<T>): Promise<T>;
  /** Why the watch itself ended the call, if it did. */
  reason(): CodedError | undefined;
}

/** Ends a call on silence, on its total time, and when the run is stopped. */
function createWatch(call: ModelCall): Watch {
  const controller = new AbortController();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  let given: CodedError | undefined;
  let lastHeartbeat = call.clock.monotonic();
  const done = new AbortController();
  const end = (reason: CodedError | undefined) => {
    given ??= reason;
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
          message: `${call.model.name} was silent for ${seconds(call.limits.idleMs)}.`,
        });
      await call.clock.sleep(wait, done.signal);
    }
  };
  const watchTotal = async () => {
    await call.clock.sleep(call.limits.totalMs, done.signal);
    if (!done.signal.aborted)
      end({
        code: "model_timeout",
        message: `${call.model.name} did not finish within ${seconds(call.limits.totalMs)}.`,
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
    reason: () => given,
    stop() {
      done.abort(waitFinished);
      call.signal.removeEventListener("abort", onAbort);
      controller.abort(waitFinished);
    },
  };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
