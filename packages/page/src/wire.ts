/**
 * What a page and the handler say to each other. Types only, because the widget is small and imports
 * nothing else from this package.
 *
 * A visitor's message is one `sendMessage`. As long as the response asks for calls, the page carries
 * them out and sends their results with `submitToolResults`. Every call gets exactly one result.
 */

type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: JsonValue;
}

/** A message of the conversation as people see it. The handler never believes it: it is for display. */
export interface HistoryMessage {
  readonly id: string;
  readonly role: "user" | "assistant" | "system";
  readonly content: string;
  /** ISO 8601. */
  readonly timestamp: string;
}

/** A JSON Schema whose type is "object". */
export interface ToolInputSchema extends JsonObject {
  readonly type: "object";
  readonly properties: JsonObject;
}

/** A tool that runs in the page. Declared again with every request, because pages change. */
export interface PageToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ToolInputSchema;
  readonly category: "page-automation";
}

/**
 * What the visitor sees, as data. The page leaves out secrets before it sends it. After the first
 * turn it may send only what changed.
 */
export interface PageState {
  readonly url: string;
  readonly title: string;
  /** `full`: all of it. `diff`: what changed since the last request. */
  readonly kind: "full" | "diff";
  /** The page in words, cut to the page's budget. */
  readonly content: JsonValue;
  /** What was left out, in words: "Shows 20 of 10,000 rows". */
  readonly cuts?: readonly string[];
}

interface PageRequest {
  /** Names the site to a handler that serves several. */
  readonly site?: string;
  /** For display. Without good `state`, its words are all that the model knows of the conversation. */
  readonly history: readonly HistoryMessage[];
  readonly toolDefinitions: readonly PageToolDefinition[];
  readonly pageState: PageState;
  /** Sealed by the handler, or the id of what it keeps. Sent back unchanged. */
  readonly state?: string;
}

export interface SendMessageInput extends PageRequest {
  readonly message: string;
}

export interface ToolCallResult {
  readonly callId: string;
  /** JSON as text. */
  readonly result: string;
  readonly isError?: boolean;
}

export interface SubmitToolResultsInput extends PageRequest {
  /** Exactly the open calls. Empty while an approval is open, to ask whether it was decided. */
  readonly results: readonly ToolCallResult[];
  readonly state: string;
}

export interface PendingToolCall {
  readonly id: string;
  /** The name that the page declared. */
  readonly name: string;
  readonly args: JsonObject;
  readonly category: "page-automation";
}

/** A change on the server that waits for the visitor's approval. */
export interface PendingApproval {
  readonly id: string;
  /** What would be done, in words. */
  readonly preview: string;
  /** A page on the handler's origin, to be opened in a window of its own. It says everything. */
  readonly url: string;
}

/** `done` and the others say how the task went. Only `done` counts as success. */
export type PageOutcome = "done" | "partly_done" | "could_not" | "needs_answer" | "denied";

export type PageResponse =
  | {
      readonly type: "response";
      readonly message: string;
      readonly outcome: PageOutcome;
      readonly history: readonly HistoryMessage[];
      readonly state: string;
    }
  | {
      readonly type: "tool-calls";
      /** Empty if only an approval is waited for. */
      readonly calls: readonly PendingToolCall[];
      readonly approvals: readonly PendingApproval[];
      readonly history: readonly HistoryMessage[];
      readonly state: string;
    };

/** The body of every response that is not 2xx. */
export interface PageError {
  /**
   * `invalid_request`, `invalid_state`, `expired_state`, `used_state`, `unknown_call`, `unknown_site`,
   * `wrong_origin`, `site_off`, `too_large`, `rate_limited`, `cap_reached`, `model_unavailable`.
   */
  readonly code: string;
  /** A sentence for the visitor. */
  readonly message: string;
  /** Set with 429 and 503. */
  readonly retryAfterMs?: number;
}

/**
 * With `Accept: application/x-ndjson` or `text/event-stream` the response is a stream of these
 * events, with the names of AG-UI. The last one is `RUN_FINISHED` or `RUN_ERROR`.
 */
export type PageEvent =
  | { readonly type: "RUN_STARTED"; readonly threadId: string; readonly runId: string }
  | { readonly type: "TEXT_MESSAGE_START"; readonly messageId: string; readonly role: "assistant" }
  | { readonly type: "TEXT_MESSAGE_CONTENT"; readonly messageId: string; readonly delta: string }
  | { readonly type: "TEXT_MESSAGE_END"; readonly messageId: string }
  /** An action of the site that runs on the server, so that the page can show it. */
  | { readonly type: "TOOL_CALL_START"; readonly toolCallId: string; readonly toolCallName: string }
  | { readonly type: "TOOL_CALL_END"; readonly toolCallId: string }
  | {
      readonly type: "RUN_FINISHED";
      readonly threadId: string;
      readonly runId: string;
      readonly result: PageResponse;
    }
  | { readonly type: "RUN_ERROR"; readonly code: string; readonly message: string };

/** The paths below `<endpoint>/<site>`. Both take and return JSON. */
export type PagePath = "/message" | "/results";

/**
 * Headers of a page's requests. With `x-bron-page`, browsers ask the handler before they send
 * anything. `x-bron-visitor` comes with every response, and is sent back with every request.
 */
export type PageHeader = "x-bron-page" | "x-bron-visitor";
