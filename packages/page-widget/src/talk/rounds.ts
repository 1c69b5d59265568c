import type {
  HistoryMessage,
  JsonObject,
  PageState,
  PageToolDefinition,
  PendingToolCall,
  ToolCallResult,
} from "@bron/page/wire";
import type { ConversationRecord } from "./conversation-record.ts";
import { RequestProblem } from "./read-events.ts";
import type { OpenCalls } from "./stored-conversation.ts";
import type { RequestOptions, Transport } from "./transport.ts";

export interface PageForRequest {
  readonly toolDefinitions: readonly PageToolDefinition[];
  readonly pageState: PageState;
}

export interface RoundDeps {
  readonly transport: Transport;
  readonly site: () => string | undefined;
  /** The tools and the state of the page now. `isKnown`: the handler has the last state. */
  readPage(isKnown: boolean): Promise<PageForRequest>;
  /** Never throws. */
  run(
    call: PendingToolCall,
    onStart: (words: string) => void,
    signal: AbortSignal,
  ): Promise<ToolCallResult>;
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The requests of one task: a message, then results until there are no more calls. */
export interface Rounds {
  /** Returns the calls of the response. */
  send(message: string, options: RequestOptions): Promise<OpenCalls | undefined>;
  /** Carries out calls and sends their results, until the handler has responded in words. */
  advance(first: OpenCalls | undefined, options: RequestOptions): Promise<void>;
}

const maxRounds = 60;
const pollMs = 2_000;
const maxHistory = 100;

export function createRounds(record: ConversationRecord, deps: RoundDeps): Rounds {
  /** `called`: tools whose results are sent. The page may not have them any more. */
  const common = async (called: readonly PageToolDefinition[] = []) => {
    const { history, state } = record.stored;
    const { pageState, toolDefinitions: present } = await deps.readPage(state !== undefined);
    const names = new Set(present.map(({ name }) => name));
    const toolDefinitions = [...present, ...called.filter(({ name }) => !names.has(name))];
    const page = { pageState, toolDefinitions };
    const latest = history.slice(-maxHistory);
    return withoutUndefined<Common>({ ...page, history: latest, site: deps.site(), state });
  };

  /** Runs the calls of a response, one after the other, and keeps each result. */
  const carryOut = async (open: OpenCalls, signal: AbortSignal): Promise<OpenCalls> => {
    let now = open;
    for (const call of open.calls) {
      if (now.results.some(({ callId }) => callId === call.id)) continue;
      const onStart = (words: string) => {
        now = { ...now, running: { callId: call.id, url: location.href } };
        record.keep({ open: now });
        record.show({ activity: words });
      };
      const result = await deps.run(call, onStart, signal);
      signal.throwIfAborted();
      now = { ...now, results: [...now.results, result], running: undefined };
      record.keep({ open: now });
      record.show({ activity: "" });
    }
    return now;
  };

  return {
    async send(message, options) {
      const input = { ...(await common()), message };
      return record.take(await deps.transport.send(input, options), input.toolDefinitions);
    },
    async advance(first, options) {
      const { signal } = options;
      let open = first;
      let round = 0;
      while (open) {
        if (round >= maxRounds) throw new RequestProblem("too_many_steps", "");
        const { results } = await carryOut(open, signal);
        // Waiting for a person is no round.
        if (open.calls.length > 0) round += 1;
        else await deps.wait(pollMs, signal);
        const input = { ...(await common(open.tools)), results, state: record.stored.state ?? "" };
        signal.throwIfAborted();
        const response = await deps.transport.submit(input, options);
        open = record.take(response, input.toolDefinitions);
      }
    },
  };
}

interface Common extends PageForRequest {
  readonly history: readonly HistoryMessage[];
  readonly site?: string;
  readonly state?: string;
}

function withoutUndefined<T extends object>(values: { [K in keyof T]: T[K] | undefined }): T {
  const defined = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(defined) as T;
}

/**
 * After a reload: the call that had started gets what is known of it. Those that had not started
 * were meant for the page before.
 */
export function resumeCalls(open: OpenCalls, url = location.href): OpenCalls {
  const { running, calls, results } = open;
  const rest = calls
    .filter(({ id }) => results.every(({ callId }) => callId !== id))
    .map(({ id }) =>
      running?.callId === id ? resultOfStarted(id, running.url === url) : skipped(id),
    );
  return { ...open, results: [...results, ...rest], running: undefined };
}

function resultOfStarted(callId: string, isSameAddress: boolean): ToolCallResult {
  const left: JsonObject = {
    ok: true,
    note: "The call started, and the page went to another address.",
  };
  if (!isSameAddress) return { callId, result: JSON.stringify(left) };
  const error = "The page was loaded again while this call ran. Check whether it took effect.";
  return { callId, result: JSON.stringify({ error }), isError: true };
}

function skipped(callId: string): ToolCallResult {
  const error = "The page was replaced before this call started. Look at the page again.";
  return { callId, result: JSON.stringify({ error }), isError: true };
}
