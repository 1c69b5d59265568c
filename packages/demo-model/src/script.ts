import type { Conversation, ToolResult } from "./conversation.ts";
import type { Content, FunctionDeclaration, JsonObject } from "./wire.ts";

/** The parts of a valid request that a script receives. */
interface ScriptRequest extends Pick<Conversation, "system" | "task" | "turn"> {
  readonly model: string;
  readonly contents: readonly Content[];
  /** Results of the current task. */
  readonly results: readonly ToolResult[];
  readonly declarations: readonly FunctionDeclaration[];
}

/** An ordinary message. The server signs the first call. */
export interface MessageResponse {
  readonly thought?: string;
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly args: JsonObject }[];
  /** Overrides the computed usage. */
  readonly usage?: {
    readonly promptTokenCount?: number;
    readonly candidatesTokenCount?: number;
    readonly thoughtsTokenCount?: number;
  };
  /** Defaults to STOP, for calls too, like Gemini. */
  readonly finishReason?: string;
}

/** An HTTP error. The body defaults to Google's error format. */
export interface ErrorResponse {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter?: number;
  readonly body?: unknown;
}

/**
 * `before` sends no headers. `middle` sends some text and then nothing, with the connection open.
 */
interface HangingResponse {
  readonly hang: "before" | "middle";
}

/** Sends some text, then destroys the socket. */
interface TruncatedResponse {
  readonly cut: "middle";
}

/**
 * `json` is an event that is not JSON, `empty` a candidate without parts, `badArguments` a call
 * whose arguments are not an object.
 */
export interface InvalidResponse {
  readonly nonsense: "json" | "empty" | "badArguments";
}

/** Streams text until the client disconnects. */
interface EndlessResponse {
  readonly endless: true;
}

export type ScriptResponse =
  | MessageResponse
  | ErrorResponse
  | HangingResponse
  | TruncatedResponse
  | InvalidResponse
  | EndlessResponse;

/** Decides the response to one request. "plan" leaves it to the planner. */
export type Script = (
  request: ScriptRequest,
) => ScriptResponse | "plan" | Promise<ScriptResponse | "plan">;
