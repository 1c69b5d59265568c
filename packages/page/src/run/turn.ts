import type { AuxiliaryRequests, RunModel } from "@bron/core";
import { memoryStore, type MemoryStore, type PortableLog } from "@bron/memory-store";
import type { RunView } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import type { PageSite } from "../site/page-site.ts";
import type {
  HistoryMessage,
  PageState,
  PageToolDefinition,
  PendingApproval,
  PendingToolCall,
  ToolCallResult,
} from "../wire.ts";
import { openPageRuntime } from "./open-page-runtime.ts";
import { openApprovals, openCalls } from "./open-work.ts";
import { sendResults } from "./send-results.ts";
import { startMessage } from "./start-message.ts";
import { untilWaiting } from "./until-waiting.ts";

/** What the visitor or the page sent. */
export type TurnInput =
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "results"; readonly results: readonly ToolCallResult[] };

/** An approval that waits, with the digest that it is bound to. */
export interface OpenApproval extends Omit<PendingApproval, "url"> {
  readonly digest: string;
}

export type ApprovalDecision = "approved" | "denied";

export interface TurnOptions {
  readonly site: PageSite;
  /** The visitor owns the run: their words take the place of the owner's. */
  readonly visitor: string;
  readonly secretKey: string;
  readonly log: PortableLog | null;
  /** Used if there is no log. */
  readonly history: readonly HistoryMessage[];
  readonly input: TurnInput;
  readonly page: PageState;
  readonly tools: readonly PageToolDefinition[];
  /** The most that the run may cost. Absent: no limit. */
  readonly costMicrousd?: number | undefined;
  readonly auxiliaryRequests?: AuxiliaryRequests | undefined;
  readonly lightModel?: RunModel | undefined;
  /** What the visitor decided on the handler's own page. */
  readonly decisionOn: (approval: OpenApproval) => Promise<ApprovalDecision | undefined>;
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface TurnResult {
  readonly ok: true;
  readonly log: PortableLog;
  readonly run: RunView;
  readonly calls: readonly PendingToolCall[];
  readonly approvals: readonly OpenApproval[];
  /** What this request cost. */
  readonly spentMicrousd: number;
}

/** The page did not answer exactly the open calls, or no call and no approval is open. */
export type TurnProblem = { readonly ok: false; readonly why: "unknown_call" | "nothing_open" };

/** A run in the store that is opened for one request. */
export interface OpenedTurn {
  readonly runtime: Runtime;
  readonly store: MemoryStore;
  readonly options: TurnOptions;
}

/**
 * Advances a conversation by one request: opens its log in a store of its own, lets the runtime work
 * until the run has ended or waits for the page, and reads the longer log out again.
 */
export async function takeTurn(options: TurnOptions): Promise<TurnResult | TurnProblem> {
  const { visitor, log, signal } = options;
  const store = memoryStore();
  if (log) store.openLog(log);
  const runtime = await openPageRuntime(options, store);
  const turn = { runtime, store, options };
  try {
    const sent =
      options.input.kind === "message" ? await startMessage(turn) : await sendResults(turn);
    if (!sent.ok) return sent;
    const { runId } = sent;
    const run = await untilWaiting(runtime, { ownerId: visitor, runId }, signal);
    const spentBefore = log?.run.id === runId ? log.run.spentMicrousd : 0;
    return {
      ok: true,
      log: store.readLog({ ownerId: visitor, runId }),
      run,
      calls: await openCalls(turn, runId),
      approvals: await openApprovals(turn, runId),
      spentMicrousd: run.spentMicrousd - spentBefore,
    };
  } finally {
    await runtime.close();
  }
}
