import type { AuxiliaryRequests, RunModel } from "@bron/core";
import type { MemoryStore, PortableLog } from "@bron/memory-store";
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

/** What the visitor or the page sent. */
export type PageInput =
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "results"; readonly results: readonly ToolCallResult[] };

/** An approval that waits, with the digest that it is bound to. */
export interface OpenApproval extends Omit<PendingApproval, "url"> {
  readonly digest: string;
}

export type ApprovalChoice = "approved" | "denied";

export interface ExchangeOptions {
  readonly site: PageSite;
  /** The visitor owns the run: their words take the place of the owner's. */
  readonly visitor: string;
  readonly secretKey: string;
  readonly log: PortableLog | null;
  /** Used if there is no log. */
  readonly history: readonly HistoryMessage[];
  readonly input: PageInput;
  readonly page: PageState;
  readonly tools: readonly PageToolDefinition[];
  /** The most that the run may cost. Absent: no limit. */
  readonly costMicrousd?: number | undefined;
  readonly auxiliaryRequests?: AuxiliaryRequests | undefined;
  readonly lightModel?: RunModel | undefined;
  /** What the visitor decided on the handler's own page. */
  readonly choiceFor: (approval: OpenApproval) => Promise<ApprovalChoice | undefined>;
  readonly onText: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface ExchangeResult {
  readonly ok: true;
  readonly log: PortableLog;
  readonly run: RunView;
  readonly calls: readonly PendingToolCall[];
  readonly approvals: readonly OpenApproval[];
  /** What this request cost. */
  readonly spentMicrousd: number;
}

/** The page did not answer exactly the open calls, or no call and no approval is open. */
export type ExchangeProblem = { readonly ok: false; readonly why: "unknown_call" | "nothing_open" };

/** A run in the store that is opened for one request. */
export interface OpenedExchange {
  readonly runtime: Runtime;
  readonly store: MemoryStore;
  readonly options: ExchangeOptions;
}
