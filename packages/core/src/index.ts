export { auditEntries } from "./audit/audit-entries.ts";
export type { Connector, ConnectorParts } from "./connector/connector.ts";
export { actionDetails, type ActionDetails } from "./run/action-details.ts";
export { advance, type AdvanceEnd, type AdvanceInput, type AdvanceParts } from "./run/advance.ts";
export { BronError, messageOf, unreachable, type BronErrorOptions } from "./errors.ts";
export { defaultModelLimits, type ModelLimits } from "./model/call-model.ts";
export { dollars, drawAmount } from "./budget/reservation.ts";
export { supervised } from "./policy/supervised.ts";
export { cleanJsonText, cleanText } from "./context/clean-text.ts";
export { sha256 } from "./policy/digest.ts";
export type { ApprovalProof } from "./run/perform.ts";
export type { Appended } from "./run/segment.ts";
export { project, type Projection } from "./run/project.ts";
export { defineTool, type EffectToolDefinition, type ReadToolDefinition } from "./tool/define-tool.ts";
export { nearestNames } from "./tool/nearest-names.ts";
export type { EffectContext, Prepared, Reconciliation, Tool, ToolContext } from "./tool/tool.ts";
export type {
  AnswerDelta,
  AppendRequest,
  AppendResult,
  Approvals,
  Artifacts,
  Budgets,
  ClaimRequest,
  ClaimResult,
  Clock,
  CodedError,
  Decision,
  Audit,
  Grant,
  Ids,
  Lease,
  ListRuns,
  ModelPrice,
  NewArtifact,
  Effects,
  NewRun,
  Policy,
  PolicyDecision,
  ListAudit,
  Profile,
  ProposedEffect,
  Renewal,
  NewAudit,
  RunHeader,
  RunLog,
  RunModel,
  Runs,
  Sign,
  Store,
  TakeRequest,
  ThreadMessage,
  Threads,
  TokenVault,
  Wake,
  Waker,
} from "./ports.ts";
