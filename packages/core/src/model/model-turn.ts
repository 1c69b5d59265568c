import type { AssistantPart, JsonValue } from "@bron/protocol";
import type { CodedError } from "../ports.ts";

export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly reasoningTokens: number;
}

export interface ModelAnswer {
  readonly ok: true;
  readonly parts: AssistantPart[];
  readonly text: string;
  readonly calls: { readonly callId: string; readonly tool: string; readonly input: JsonValue }[];
  readonly finish: string;
  /** Absent when the provider did not say: then the reservation stands. */
  readonly usage?: ModelUsage;
}

export interface ModelFailure {
  readonly ok: false;
  readonly error: CodedError;
  readonly retryable: boolean;
  readonly retryAfterMs?: number;
  /** What the failed call may have cost: nothing, what `usage` says, or nobody knows. */
  readonly cost: "nothing" | "unknown" | ModelUsage;
}
