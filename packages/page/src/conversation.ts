import type { AuxiliaryRequests, RunModel } from "@bron/core";
import { isTerminal, omitUndefined } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import type { ApprovalPages } from "./http/approval-page.ts";
import { refuse, type Refusal, type RefusalCode } from "./http/refusal.ts";
import { advanceConversation } from "./run/exchange.ts";
import type { PageInput, ExchangeResult } from "./run/exchange-options.ts";
import type { PageSite } from "./site/page-site.ts";
import {
  limitHistory,
  newConversation,
  type ConversationState,
} from "./state/conversation-state.ts";
import type { StateKeeper } from "./state/keeper.ts";
import type { Binding } from "./state/seal.ts";
import type {
  HistoryMessage,
  PageEvent,
  PageResponse,
  SendMessageInput,
  SubmitToolResultsInput,
} from "./wire.ts";

/** A checked request. */
export interface Asked {
  readonly site: PageSite;
  readonly base: string;
  readonly binding: Binding;
  readonly body: SendMessageInput | SubmitToolResultsInput;
  readonly input: PageInput;
}

interface RespondOptions {
  readonly costMicrousd: number | undefined;
  readonly send: (event: PageEvent) => void;
  readonly signal: AbortSignal;
}

export interface Conversations {
  respond(
    asked: Asked,
    options: RespondOptions,
  ): Promise<{ readonly response: PageResponse; readonly spentMicrousd: number } | Refusal>;
}

interface ConversationsDeps {
  readonly secretKey: string;
  readonly keeper: StateKeeper;
  readonly approvals: ApprovalPages;
  readonly lightModel?: RunModel;
  readonly auxiliaryRequests?: AuxiliaryRequests;
  readonly now: () => number;
}

const problemOf: Readonly<Record<string, RefusalCode>> = {
  invalid: "invalid_state",
  too_large: "too_large",
  expired: "expired_state",
  used: "used_state",
  unknown_call: "unknown_call",
  nothing_open: "unknown_call",
};

/** Opens the state of a conversation, takes one exchange, and closes it again. */
export function createConversations(deps: ConversationsDeps): Conversations {
  const { keeper, approvals, now } = deps;
  return {
    async respond(asked, { costMicrousd, send, signal }) {
      const state = await openState(keeper, asked);
      if ("code" in state) return sendError(send, state);
      const messageId = randomUUID();
      const text = textEvents(messageId, send);
      try {
        const exchange = await advanceConversation({
          site: asked.site,
          visitor: asked.binding.visitor,
          secretKey: deps.secretKey,
          log: state.log,
          // What the page claims counts only where nothing else is known.
          history: state.history.length > 0 ? state.history : asked.body.history,
          input: asked.input,
          page: asked.body.pageState,
          tools: asked.body.toolDefinitions,
          costMicrousd,
          choiceFor: approvals.choiceFor,
          onText: text.add,
          signal,
          ...omitUndefined({
            lightModel: deps.lightModel,
            auxiliaryRequests: deps.auxiliaryRequests,
          }),
        });
        if (!exchange.ok) {
          await keeper.release(state);
          return sendError(send, refuse(problemOf[exchange.why] ?? "invalid_request"));
        }
        text.end();
        const next = nextState(state, asked.input, exchange, new Date(now()).toISOString());
        const response = await responseOf(asked, exchange, next);
        const { threadId, id: runId } = exchange.run;
        send({ type: "RUN_FINISHED", threadId, runId, result: response });
        return { response, spentMicrousd: exchange.spentMicrousd };
      } catch (error) {
        await keeper.release(state);
        throw error;
      }
    },
  };

  async function responseOf(
    { site, base, binding }: Asked,
    { run, calls, approvals: open }: ExchangeResult,
    next: ConversationState,
  ): Promise<PageResponse> {
    const shared = { history: next.history, state: await keeper.save(next, binding) };
    if (isTerminal(run.status))
      return {
        type: "response",
        message: next.history.at(-1)?.content ?? "",
        outcome: run.outcome ?? "could_not",
        ...shared,
      };
    return {
      type: "tool-calls",
      calls,
      approvals: await Promise.all(
        open.map(async (approval) => ({
          id: approval.id,
          preview: approval.preview,
          url: await approvals.urlOf(approval, site.name, binding.origin, base),
        })),
      ),
      ...shared,
    };
  }
}

/** The state that the page sent, or a new one for a first message. */
async function openState(
  keeper: StateKeeper,
  { body, binding }: Asked,
): Promise<ConversationState | Refusal> {
  if (body.state === undefined) return newConversation(randomUUID());
  const loaded = await keeper.load(body.state, binding);
  return loaded.ok ? loaded.state : refuse(problemOf[loaded.why] ?? "invalid_state");
}

function sendError(send: RespondOptions["send"], refusal: Refusal): Refusal {
  send({ type: "RUN_ERROR", code: refusal.code, message: refusal.message });
  return refusal;
}

/** Text of one message as events. The end is sent only if there was text. */
function textEvents(messageId: string, send: RespondOptions["send"]) {
  let isOpen = false;
  return {
    add(delta: string) {
      if (!isOpen) send({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
      isOpen = true;
      send({ type: "TEXT_MESSAGE_CONTENT", messageId, delta });
    },
    end() {
      if (isOpen) send({ type: "TEXT_MESSAGE_END", messageId });
    },
  };
}

/** Finished runs longer than this are kept as the words that were said. */
const maxFinishedLogCharacters = 400_000;

const unfinishedText = "I couldn't finish this. Try again in other words.";

function nextState(
  before: ConversationState,
  input: PageInput,
  { run, log }: ExchangeResult,
  timestamp: string,
): ConversationState {
  const message = (role: HistoryMessage["role"], content: string): HistoryMessage => ({
    id: randomUUID(),
    role,
    content,
    timestamp,
  });
  const isOver = isTerminal(run.status);
  const isLong = isOver && JSON.stringify(log.events).length > maxFinishedLogCharacters;
  return {
    id: before.id,
    step: before.step + 1,
    history: limitHistory([
      ...before.history,
      ...(input.kind === "message" ? [message("user", input.text)] : []),
      ...(isOver ? [message("assistant", run.summary ?? unfinishedText)] : []),
    ]),
    log: isLong ? null : log,
  };
}
