export {
  describeFlaw,
  documentFormats,
  fileFlawSchema,
  type FileContent,
  type FileFlaw,
} from "./document-failure.ts";
export type { FileReason } from "./file-reason.ts";
export {
  describePageVisit,
  pageVisitOf,
  readPageVisit,
  visitWords,
  type PageVisit,
  type UrlText,
} from "./page-visit.ts";
export { holdOffersOf, type HoldOffer } from "./hold-offers.ts";
export type { ApprovalBackground, NearbySchedule } from "./approval-background.ts";
export type { DraftView } from "./draft-view.ts";
export { whyUnasked } from "./unasked.ts";
export { isSnoozeTime, snoozeTimes, snoozeUntil, type SnoozeTime } from "./snooze.ts";
export { currentApprovals, groupApprovals, groupNameOf, isAsking } from "./approval-group.ts";
export {
  applyToApprovals,
  newerApproval,
  noApprovals,
  type ApprovalsInLog,
  type LoggedApproval,
} from "./approvals-in-log.ts";
export {
  maxScheduleFailures,
  missedChoices,
  overlapChoices,
  maxSchedulesPerOwner,
  newScheduleSchema,
  scheduleKinds,
  watchSources,
  type NewScheduleInput,
  type ScheduleChange,
  type ScheduleKind,
  type ScheduleReason,
  type ScheduleState,
  type ScheduleView,
  type SkipReason,
  type Timing,
  type Watch,
  type WatchSource,
} from "./schedule.ts";
export { type BudgetChange, type BudgetView } from "./api/budget-api.ts";
export { budgetNotice, type BudgetNotice } from "./budget-notice.ts";
export { describeTiming, scheduleStateText, skipText } from "./schedule-words.ts";
export { api, type Api, type ApiKey } from "./api/index.ts";
export type {
  ApiResponse,
  ApiBody,
  ApiBodyInput,
  ApiParams,
  ApiQuery,
  ApiQueryInput,
} from "./api/types.ts";
export {
  agentLineSchema,
  agentRequestSchema,
  agentResponseSchema,
  type AgentLine,
  type AgentRequest,
  type AgentResponse,
} from "./api/agent-api.ts";
export { openaiModelListSchema } from "./openai-model-list.ts";
export { checkReturnPath } from "./return-path.ts";
export {
  bronExportSchema,
  bronStatuses,
  bronViewSchema,
  type BronExport,
  type BronStatus,
  type BronTemplate,
  type BronView,
  type ChangedBron,
  type NewBron,
  type ModelView,
  type PersonaSource,
  type ToolView,
} from "./api/brons-api.ts";
export {
  defaultMaxStreams,
  defaultRates,
  defaultUploadQuota,
  scopes,
  type Endpoint,
  type RateName,
  type RateSettings,
  type Scope,
} from "./api/endpoint.ts";
export { oauthProviders, type OauthClientView, type OauthProvider } from "./api/connections-api.ts";
export {
  localServerIds,
  localServerNames,
  modelProviderNames,
  modelProviders,
  type LocalServer,
  type LocalServerId,
  type ModelKeyProvider,
  type ModelKeyState,
  type ModelKeyView,
  type ModelProvider,
} from "./api/model-keys-api.ts";
export { mcpProviderOf, mcpProviderPrefix } from "./mcp-provider.ts";
export { describeHint, mcpStateWords, schemaLines } from "./mcp-words.ts";
export {
  mcpDefinitionSchema,
  type McpDefinition,
  type McpServerState,
  type McpServerView,
  type McpToolView,
  type NewMcpServer,
} from "./mcp.ts";
export { type MeView, type NewToken, type SessionView, type TokenView } from "./api/owner-api.ts";
export { describeSkillRead, skillReadName, skillTitle } from "./skill-words.ts";
export type { NewSkill } from "./api/skills-api.ts";
export {
  skillFileName,
  skillLimits,
  skillNamePattern,
  type PlacedSkillVersion,
  type SkillContent,
  type SkillFileChange,
  type SkillFileEntry,
  type SkillFileKind,
  type SkillProblem,
  type SkillReview,
  type SkillSource,
  type SkillState,
  type SkillText,
  type SkillVersion,
  type SkillView,
} from "./skill.ts";
export { type UsageView } from "./api/usage-api.ts";
export { seqSchema, type RunChange } from "./api/runs-api.ts";
export {
  threadStates,
  threadViewSchema,
  type ThreadState,
  type ThreadView,
} from "./api/threads-api.ts";
export type { UploadView } from "./api/uploads-api.ts";
export type { SplitWords } from "./context.ts";
export { describeText, isMoreThanALine, type TextInBrief } from "./pasted-text.ts";
export { eventViewSchema } from "./event-view.ts";
export {
  activityKey,
  activityKinds,
  activityViewSchema,
  entriesOfKind,
  isOfKind,
  recipientsIn,
  summarizeAction,
  type ActionStage,
  type ActionSummary,
  type ActivityKind,
  type ActivityView,
} from "./activity.ts";
export {
  auditFilters,
  auditViewSchema,
  auditKinds,
  type AuditActor,
  type AuditFilter,
  type AuditView,
  type AuditKind,
  type Settlement,
} from "./audit.ts";
export { capsSchema, defaultCaps, lowerCaps, mergeCaps, type Caps } from "./caps.ts";
export {
  cardSchema,
  cardSchemas,
  nextActionWords,
  type Card,
  type CardKind,
  type CardLine,
  type CardPayload,
  type CompletedCalls,
  type OldCardPayload,
} from "./cards.ts";
export { BrandedError, isBrandedError } from "./branded-error.ts";
export type { Sign } from "./sign.ts";
export { serverProof, terminalToken, terminalTokenSeconds } from "./terminal-auth.ts";
export { isUuid } from "./uuid.ts";
export { errorCodes, errorTable, isErrorCode, type ErrorCode } from "./errors.ts";
export { askedForWords, askKinds, describeAskedFor, type AskKind } from "./ask-kinds.ts";
export { describeIntent, type AskInWords, type ProhibitionInWords } from "./intent.ts";
export {
  createLogWords,
  logSentences,
  describeLogLine,
  outageCodes,
  outageWords,
  type LogLine,
  type OutageCode,
  type SummaryProblem,
} from "./log-line.ts";
export { isInformation } from "./is-information.ts";
export { describeRisk, riskWords, type RiskReason } from "./risk-reason.ts";
export {
  describeFailure,
  failureReasonSchema,
  failureWords,
  type Failure,
  type FailureReason,
} from "./failure.ts";
export {
  actionFailureReasonSchema,
  actionFailureWords,
  describeActionFailure,
  type ActionError,
  type ActionFailure,
  type ActionFailureReason,
} from "./action-failure.ts";
export { keptOutputKind, type KeptOutput } from "./kept-output.ts";
export { authReasonSchema, authWords, describeAuth, type AuthReason } from "./auth-reason.ts";
export {
  describeProblem,
  problemReasonOf,
  problemWords,
  type ProblemReason,
} from "./problem-reason.ts";
export {
  closingReasonOf,
  closingReasonSchema,
  closingWords,
  describeClosing,
  type ClosingReason,
} from "./closing-reason.ts";
export {
  describeReasons,
  policyReasonSchema,
  policyWords,
  type PolicyReason,
} from "./policy-reason.ts";
export {
  describeNotDone,
  notDoneOf,
  notDoneWords,
  type NotDone,
  type NotDoneCause,
} from "./not-done.ts";
export {
  failureModes,
  logVersion,
  previousVersionKind,
  uploadKind,
  type ApprovalPayload,
  type AssistantMessage,
  type AssistantPart,
  type AuxiliaryCallEnd,
  type ChildRun,
  type ClientActionPayload,
  type FieldDiff,
  type EffectPayload,
  type FormReads,
  type QuestionPayload,
  type EventPayloads,
  type EventType,
  type FailureMode,
  type NewEvent,
  type PlannedCall,
  type ProviderData,
  type RetryOf,
  type RunEvent,
  type StepEnd,
  type StepStart,
  type SummaryPayload,
  type PinnedSkill,
  type ToolSetPayload,
  type ToolEnd,
  type ToolStart,
  type UsagePayload,
  type UserMessage,
} from "./events.ts";
export { upgradeEvent } from "./upgrade-event.ts";
export {
  describeUnfinishedChild,
  unfinishedChildWords,
  type UnfinishedChild,
} from "./unfinished-child.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export { compareToolSets, type ToolSetDiff } from "./compare-tool-sets.ts";
export type { FilePreview, FilePreviewOf, NoPreviewReason, PlacedText } from "./file-preview.ts";
export { formatBytes } from "./format-bytes.ts";
export { omitUndefined } from "./omit-undefined.ts";
export {
  actionViewSchema,
  approvalViewSchema,
  artifactViewSchema,
  attachedContextSchema,
  connectionViewSchema,
  createRunSchema,
  effectViewSchema,
  maxPromptBytes,
  runViewSchema,
  type AboutView,
  type ActionView,
  type ApprovalOutcome,
  type ApprovalView,
  type ConnectionSetup,
  type ConnectionView,
  type ArtifactView,
  type AttachedContext,
  type CreateRun,
  type EffectView,
  type RunView,
} from "./run.ts";
export {
  declaredOutcomes,
  outcomeByCount,
  reportOutcomeName,
  withoutReport,
  type DeclaredOutcome,
  type RunOutcome,
} from "./run-outcome.ts";
export { emptyRunResult, resultIn, runResultSchema, type RunResult } from "./run-result.ts";
export {
  actionStateOfEffect,
  actionStates,
  approvalStates,
  effectStates,
  isParked,
  isTerminal,
  maxCountedRuns,
  runStates,
  runtimeStatusOf,
  webStatusOf,
  type ActionOutcome,
  type ActionState,
  type ApprovalState,
  type EffectState,
  type RunStatus,
  type WebRunStatus,
} from "./states.ts";
export { statusWords } from "./status-words.ts";
export {
  isToolWorded,
  toolDone,
  toolLabel,
  toolPhrase,
  toolTodo,
  toolWords,
} from "./tool-words.ts";
export { shownStatus, waitKinds, type ShownStatus, type WaitsFor } from "./waits-for.ts";
export {
  describePlace,
  placeWords,
  servedPlaceSchema,
  servesPlace,
  type Place,
  type PlaceView,
  type ServedPlace,
} from "./place.ts";
export {
  maxClientResultBytes,
  type ClientActionState,
  type ClientActionView,
  type ExpiryMeaning,
} from "./client-action.ts";
export {
  answerSchemaSchema,
  type AnswerSchema,
  type Answer,
  type NewQuestion,
  type QuestionState,
  type QuestionView,
} from "./question.ts";
export { expectedAnswer } from "./expected-answer.ts";
export { readAnswer } from "./read-answer.ts";
export {
  partialTextSchema,
  challengeHeader,
  problemSchema,
  proofHeader,
  serverIdHeader,
  type PartialText,
  type EventView,
  type Problem,
} from "./wire.ts";
export { describeItem, sourceItemWords, type LabelPart, type SourceItem } from "./source-item.ts";
export { hasHidden, spellOut, visible } from "./visible.ts";
export { demoExamples, demoFaults, demoViewSchema, type DemoFault, type DemoView } from "./demo.ts";
export {
  effectGroups,
  origins,
  originWords,
  permissionsViewSchema,
  riskSchema,
  ruleVerdicts,
  trustLevels,
  type AllowedView,
  type EffectGroup,
  type EffectSetting,
  type GrantView,
  type Label,
  type NewGrant,
  type NewRule,
  type Origin,
  type PermissionsView,
  type Risk,
  type RiskKind,
  type RiskSource,
  type RuleVerdict,
  type RuleView,
  type TrustLevel,
} from "./trust.ts";
export {
  maxMemoryCharacters,
  maxSummaryBytes,
  memoryKinds,
  memoryStates,
  minSummaryBytes,
  type MemoryEntry,
  type MemoryKind,
  type MemorySource,
  type MemoryState,
} from "./memory.ts";
export type { Writer, WrittenThing, WrittenThings } from "./written-things.ts";
