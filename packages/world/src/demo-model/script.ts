import type { Conversation, ToolResult } from "./conversation.ts";
import type { Content, FunctionDeclaration, JsonObject } from "./wire.ts";

/** What a script sees of a request that passed validation. */
export interface ScriptRequest extends Pick<Conversation, "system" | "task" | "turn"> {
  readonly model: string;
  readonly contents: readonly Content[];
  /** Results since the task was given. */
  readonly results: readonly ToolResult[];
  readonly declarations: readonly FunctionDeclaration[];
}

/** An ordinary answer. The model signs the first call by itself. */
export interface MessageResponse {
  readonly thought?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: JsonObject }[];
  /** Instead of what would be counted. */
  readonly usage?: {
    readonly promptTokenCount?: number;
    readonly candidatesTokenCount?: number;
    readonly thoughtsTokenCount?: number;
  };
  /** STOP unless said otherwise, for calls too, as Gemini does. */
  readonly finishReason?: string;
}

/** An HTTP error, in Google's shape unless a body is given. */
export interface ErrorResponse {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly body?: unknown;
}

/** `before`: not even headers come. `middle`: some text, then nothing, with the connection open. */
export interface HangingResponse {
  readonly hang: "before" | "middle";
}

/** Some text, then the socket is destroyed. */
export interface TruncatedResponse {
  readonly cut: "middle";
}

/** `json`: an event that is not JSON. `empty`: a candidate without parts. `badArguments`: a call whose arguments are no object. */
export interface InvalidResponse {
  readonly nonsense: "json" | "empty" | "badArguments";
}

/** Text until the client goes away. */
export interface EndlessResponse {
  readonly endless: true;
}

export type ScriptResponse =
  | MessageResponse
  | ErrorResponse
  | HangingResponse
  | TruncatedResponse
  | InvalidResponse
  | EndlessResponse;

/** Decides the answer to one request; "plan" leaves it to the planner. */
export type Script = (
  request: ScriptRequest,
) => ScriptResponse | "plan" | Promise<ScriptResponse | "plan">;
