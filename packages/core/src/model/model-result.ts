import type { AssistantPart, Failure, JsonValue } from "@bron/protocol";

export interface ModelUsage {
  readonly inputTokens: number;
  /** The part of `inputTokens` that came from the provider's cache. Absent if there is none. */
  readonly cachedInputTokens?: number;
  /** The part of `inputTokens` that the provider wrote to its cache. Absent if there is none. */
  readonly cacheWriteTokens?: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

export interface ModelMessage {
  readonly ok: true;
  readonly parts: AssistantPart[];
  readonly text: string;
  readonly calls: { readonly callId: string; readonly tool: string; readonly input: JsonValue }[];
  readonly finish: string;
  /** Omitted when the provider does not report usage. The reservation is charged then. */
  readonly usage?: ModelUsage;
}

export interface ModelFailure {
  readonly ok: false;
  readonly error: Failure;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** What the failed call may have cost: nothing, an unknown amount, or the reported usage. */
  readonly cost: "nothing" | "unknown" | ModelUsage;
}
