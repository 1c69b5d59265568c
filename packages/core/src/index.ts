export { childRunStarted } from "./run/child-run-started.ts";
export { childRunTools } from "./tool/child-run-tools.ts";
export { auditEntries } from "./audit/audit-entries.ts";
export type { Connector, ConnectorDeps } from "./connector/connector.ts";
export { actionDetails, type ActionDetails } from "./run/action-details.ts";
export { advance, type AdvanceEnd, type AdvanceInput, type AdvanceDeps } from "./run/advance.ts";
export { whyNotClaim } from "./run/claim-rule.ts";
export { BronError, isOutage, messageOf, unreachable } from "./errors.ts";
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
export type { ApprovalProof } from "./run/effect-context.ts";
export type { Appended } from "./run/segment-log.ts";
export { createSegmentHandle, type SegmentHandle } from "./run/segment-handle.ts";
export { momentOf, msSince } from "./run/moment.ts";
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
export type { CodedError } from "./errors.ts";
export type { Permissions, RulesSource } from "./policy/permissions.ts";
export type { Policy, PolicyView, ProposedEffect } from "./policy/policy.ts";
export type { Grant, Contact, Contacts, TokenVault } from "./ports/accounts.ts";
export type { Approvals, Decision, Edit, ListApprovals } from "./ports/approvals.ts";
export type { Artifacts, NewArtifact, OpenBytes } from "./ports/artifacts.ts";
export type { Audit, ListAudit, NewAudit } from "./ports/audit.ts";
export type { Brons, ChangedBronRow, NewBronRow } from "./ports/brons.ts";
export type { Budgets } from "./ports/budgets.ts";
export type { Clock, Ids } from "./ports/clock.ts";
export type { Effects } from "./ports/effects.ts";
export type { TextDelta, ModelPrice, RunModel } from "./ports/model.ts";
export type {
  AppendRequest,
  AppendResult,
  ClaimRequest,
  ClaimResult,
  Lease,
  Renewal,
  RunHeader,
  RunLog,
  TakeRequest,
} from "./ports/run-log.ts";
export type { EarlierMessage, ListRuns, NewRun, ParentRun, Runs } from "./ports/runs.ts";
export type { Store } from "./ports/store.ts";
export type { Profile, ThreadMessage, Threads } from "./ports/threads.ts";
export type { FileCheck, UploadQuota, Uploads } from "./ports/uploads.ts";
export type { Usage } from "./ports/usage.ts";
export type { Wake, Waker } from "./ports/waker.ts";
