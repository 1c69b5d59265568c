export { childRunStarted } from "./run/child-run-started.ts";
export { childRunTools } from "./tool/child-run-tools.ts";
export { auditEntries } from "./audit/audit-entries.ts";
export type { Connector, ConnectorDeps } from "./connector/connector.ts";
export { actionDetails, type ActionDetails } from "./run/action-details.ts";
export { advance, type AdvanceEnd, type AdvanceInput, type AdvanceDeps } from "./run/advance.ts";
export { whyNotClaim } from "./run/claim-rule.ts";
export { BronError, isOutage, messageOf, unreachable, type BronErrorOptions } from "./errors.ts";
export { defaultModelLimits, type ModelLimits } from "./model/call-model.ts";
export { dollars, drawAmount } from "./budget/reservation.ts";
export { byRules } from "./policy/by-rules.ts";
export { guessFacts, type EffectFacts, type Recipient } from "./policy/effect-facts.ts";
export { judge, type JudgeInput } from "./policy/judge.ts";
export {
  addressesIn,
  hostsIn,
  outgoingHosts,
  normalizeAddress,
  normalizeHost,
} from "./policy/names.ts";
export { normalizeText } from "./policy/normalize-text.ts";
export { defaultRules, parseTrustedContact, type PolicyRules } from "./policy/rules.ts";
export type { PolicyDecision } from "./policy/policy-decision.ts";
export { planTool } from "./policy/plan-tool.ts";
export {
  noLabels,
  withCalls,
  withResult,
  withOwnerWords,
  type RunLabels,
} from "./policy/run-labels.ts";
export { cleanJsonText, cleanText } from "./context/clean-text.ts";
export { sha256 } from "./policy/digest.ts";
export type { ApprovalProof } from "./run/perform.ts";
export type { Appended } from "./run/segment.ts";
export { project, type Projection } from "./run/project.ts";
export {
  defineTool,
  type EffectToolDefinition,
  type ReadToolDefinition,
} from "./tool/define-tool.ts";
export { nearestNames } from "./tool/nearest-names.ts";
export type {
  Editing,
  EffectContext,
  Prepared,
  Reconciliation,
  Tool,
  ToolContext,
} from "./tool/tool.ts";
export type {
  TextDelta,
  AppendRequest,
  AppendResult,
  Approvals,
  Artifacts,
  Audit,
  Brons,
  Budgets,
  ChangedBronRow,
  ClaimRequest,
  ClaimResult,
  Clock,
  CodedError,
  Decision,
  EarlierMessage,
  Edit,
  Effects,
  FileCheck,
  Grant,
  Ids,
  Lease,
  ListApprovals,
  ListAudit,
  ListRuns,
  ModelPrice,
  NewArtifact,
  NewAudit,
  NewBronRow,
  NewRun,
  OpenBytes,
  Contact,
  Contacts,
  Permissions,
  Policy,
  PolicyView,
  Profile,
  ProposedEffect,
  RulesSource,
  Renewal,
  RunHeader,
  RunLog,
  RunModel,
  ParentRun,
  Runs,
  Sign,
  Store,
  TakeRequest,
  ThreadMessage,
  Threads,
  TokenVault,
  UploadQuota,
  Uploads,
  Usage,
  Wake,
  Waker,
} from "./ports.ts";
