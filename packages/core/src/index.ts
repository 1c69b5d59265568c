export { cancelEvent, canceledAllEntry, type Cancellation } from "./run/rules/cancel-run.ts";
export {
  childRunReport,
  childRunUpkeep,
  reportedStatusOf,
  type ReportedStatus,
} from "./child-run/child-run-report.ts";
export { childRunStarted } from "./child-run/child-run-started.ts";
export {
  closingError,
  closingEvent,
  closingOf,
  closingOutcome,
  undoing,
  type Closing,
  type ClosingOutcome,
} from "./effect/close-approval.ts";
export { crossedOutEvent } from "./intent/crossed-out.ts";
export { splitEvent } from "./policy/owner-words/split-words.ts";
export { checkSameMessage, type SaidBefore, ownerMessageEvent } from "./steering/owner-message.ts";
export {
  checkQuestionClosing,
  questionClosingEvent,
  type QuestionClosing,
} from "./question/answer-question.ts";
export {
  expiryEvent,
  finishEvent,
  takeEvent,
  type ClientActionMoment,
  type ClientActionRow,
} from "./client-action/close-client-action.ts";
export { isClientResultSmall, parseClientResult } from "./tool/parse-client-result.ts";
export { defineClientTool } from "./tool/define-client-tool.ts";
export type { ClientActionRef, ClientActions } from "./ports/runs/client-actions.ts";
export { askUserTool } from "./tool/ask-user-tool.ts";
export type { ListQuestions, Questions } from "./ports/runs/questions.ts";
export {
  chosenModelIn,
  cleanContext,
  contextOf,
  speakerOf,
  firstEvents,
  isTrustedPrompt,
} from "./run/state/first-events.ts";
export { isSameTask } from "./run/rules/same-task.ts";
export { canRestore, restoredEntry, restoreError } from "./effect/restore-effect.ts";
export { canUndo, undoError, undoneEvent } from "./effect/undo-effect.ts";
export { resultWithOneMore, settledEntry, settleError } from "./effect/settle-effect.ts";
export { childRunLimit, childRunTools } from "./child-run/child-run-tools.ts";
export { memoryDigest } from "./memory/memory-digest.ts";
export { memoryTools } from "./memory/memory-tools.ts";
export { memoryTerms, memoryWords, stemWeight, termWeight } from "./memory/memory-words.ts";
export {
  bronNotFound,
  memoryAddedEntry,
  memoryChangedEntry,
  memoryConfirmedEntry,
  memoryForgottenEntry,
  memoryIsForgotten,
  memoryNotFound,
  memoryTextTaken,
  nothingToUndo,
  summaryUndoneEntry,
} from "./memory/memory-changes.ts";
export { removeStatement } from "./memory/remove-statement.ts";
export type {
  ChangedStatement,
  FoundStatement,
  ListMemory,
  Memory,
  MemoryEmbeddings,
  Noted,
  NotedStatement,
} from "./ports/memory.ts";
export type { Upkeep } from "./ports/runs/upkeep.ts";
export type { OlderSummary } from "./ports/runs/threads.ts";
export { deservesSummary } from "./upkeep/deserves-summary.ts";
export { upkeepRun } from "./upkeep/upkeep-run.ts";
export { auditEntries } from "./audit/audit-entries.ts";
export {
  hasAllTerms,
  maxSearchedRows,
  searchTerms,
  unsearchedFields,
} from "./audit/search-activity.ts";
export type {
  Connector,
  ConnectorDeps,
  OauthClient,
  PeopleNamed,
  PollResult,
  PollWatch,
} from "./connector/connector.ts";
export { actionDetails, type ActionDetails } from "./action/action-details.ts";
export { advance, type AdvanceEnd, type AdvanceDeps, type Claimed } from "./run/advance.ts";
export { whyNotClaim } from "./run/rules/claim-rule.ts";
export { chooseRunnable } from "./run/rules/take-rule.ts";
export { createModelHealth } from "./model/model-health.ts";
export {
  createModelSet,
  findModelName,
  mapModels,
  type ModelRoles,
  type ModelSet,
} from "./model/model-set.ts";
export { currentText } from "./context/current-text.ts";
export { actionFailure, notDoneFailure } from "./tool/action-error.ts";
export { BronError, isOutage, messageOf, requestError, unreachable } from "./errors.ts";
export type { AuxiliaryRequest } from "./model/auxiliary-request.ts";
export type { AuxiliaryRequests } from "./auxiliary-call/auxiliary-requests.ts";
export { defaultModelLimits, type ModelLimits } from "./model/call-model.ts";
export { findBudgetRefusal, type CapUse } from "./budget/find-budget-refusal.ts";
export { dollars, drawAmount } from "./budget/reservation.ts";
export { pickColor, avatarColors } from "./bron/avatar-colors.ts";
export { bronChangedEntry } from "./bron/bron-changed-entry.ts";
export {
  bronArchivedEntry,
  bronIsArchived,
  defaultBronName,
  defaultBronStays,
} from "./bron/archived-bron.ts";
export { bronStatusOf } from "./bron/bron-status.ts";
export { byRules } from "./policy/by-rules.ts";
export { effectKinds, type EffectKind } from "./intent/effect-kinds.ts";
export type { MentionQuery, PersonQuery } from "./intent/find-mention.ts";
export { readFileMention, wordsBesideName } from "./intent/file-mention.ts";
export type { FileQuery, FoundFile } from "./intent/found-file.ts";
export { nameWords } from "./intent/name-words.ts";
export { isCommonWord } from "./policy/owner-words/named-by-owner.ts";
export { normalizeUrl } from "./policy/text/normalize-url.ts";
export { parseRecipientLimit } from "./policy/recipient-limit.ts";
export { readingPurpose } from "./intent/reading-request.ts";
export type { ChangedField } from "./intent/reading-schema.ts";
export { contextNote } from "./context/context-note.ts";
export type { AskTask, AskUses, OpenAsks, Readings } from "./ports/runs/ask-uses.ts";
export type { Denial, Denials } from "./ports/runs/denials.ts";
export type { WrittenThingsPort } from "./ports/runs/written-things.ts";
export type { EffectFacts, Recipient } from "./policy/effect-facts.ts";
export { judge } from "./policy/judge.ts";
export type { JudgeInput } from "./policy/judge-input.ts";
export { contentValues } from "./policy/text/content-values.ts";
export {
  addressesIn,
  normalizeAddress,
  normalizeHost,
  withoutUnseen,
} from "./policy/text/names.ts";
export { normalizeText } from "./policy/text/normalize-text.ts";
export { defaultRules, type PolicyRules } from "./policy/permissions/rules.ts";
export {
  requireContact,
  requireGrantTarget,
  requireHostPattern,
} from "./policy/permissions/permission-input.ts";
export { noLabels, withResult, withOwnerWords } from "./policy/run-labels.ts";
export { threadDeletedEntry, threadNotFound, threadUnderWay } from "./thread/delete-thread.ts";
export { hasWords, searchWords } from "./thread/search-words.ts";
export { sentFields, sentText } from "./thread/sent-text.ts";
export { snippetOf } from "./thread/snippet.ts";
export { cleanJson, cleanJsonText, cleanText } from "./context/clean-text.ts";
export { sha256 } from "./policy/digest.ts";
export type { Appended } from "./run/segment-log.ts";
export { createSegmentHandle, type SegmentHandle } from "./run/segment-handle.ts";
export { momentOf, msSince } from "./run/moment.ts";
export { project, type Projection } from "./run/state/project.ts";
export { defineTool } from "./tool/define-tool.ts";
export { listParts, outputPart, textOf } from "./tool/label-parts.ts";
export { outputReadTool } from "./tool/output-read-tool.ts";
export {
  acceptSkill,
  addSkill,
  findSkill,
  isFrom,
  noSkill,
  removeSkill,
  shipSkill,
  type FoundVersion,
} from "./skill/change-skill.ts";
export type { RunSkills } from "./skill/run-skills.ts";
export { skillReadTool } from "./skill/skill-read-tool.ts";
export type { FoundSkill, SkillReader } from "./ports/skill-reader.ts";
export type { ReadableSkill, SkillChange, SkillRow, Skills, UsableSkill } from "./ports/skills.ts";
export { reportOutcomeTool } from "./tool/report-outcome-tool.ts";
export { nearestNames } from "./tool/nearest-names.ts";
export type {
  AccountReader,
  DraftAccess,
  EffectContext,
  Reconciliation,
  RestoreContext,
  Tool,
  ToolContext,
} from "./tool/tool.ts";
export {
  allEffectSettings,
  defaultEffectSetting,
  type Permissions,
} from "./policy/permissions/permissions.ts";
export type { Policy } from "./policy/policy.ts";
export type { Grant, Contacts, TokenVault } from "./ports/access/accounts.ts";
export type { AccessStore } from "./ports/access/access-store.ts";
export type { ActiveToken, ApiTokens } from "./ports/access/api-tokens.ts";
export type { Approvals, ListApprovals } from "./ports/runs/approvals.ts";
export type { Artifacts, OpenBytes } from "./ports/runs/artifacts.ts";
export type { ActivityPage, Audit, NewAudit } from "./ports/audit.ts";
export type { Brons, ChangedBronRow } from "./ports/brons.ts";
export type {
  DueWatch,
  NewSchedule,
  RecordedPoll,
  Schedule,
  ScheduledRun,
  Schedules,
  StartDueOptions,
} from "./ports/schedules.ts";
export { nextTimes, requireNextTime, requireZone } from "./schedule/next-times.ts";
export { scheduleTool } from "./schedule/schedule-tool.ts";
export { moveDue } from "./schedule/due-move.ts";
export { scheduledRun } from "./schedule/scheduled-run.ts";
export {
  scheduleEnded,
  scheduleEntry,
  scheduleNotFound,
  tooManySchedules,
} from "./schedule/schedule-errors.ts";
export {
  drawForDay,
  findOwnerRefusal,
  isBudgetSpent,
  unspentOf,
  type DayUse,
  type OwnerBudgetUse,
} from "./budget/day-draw.ts";
export { dayIn } from "./budget/zoned-day.ts";
export type { Budgets, OwnerBudget } from "./ports/budgets.ts";
export type { Change, ChangeFeed, ChangeListener } from "./ports/change-feed.ts";
export type { Clock } from "./ports/clock.ts";
export { restoringMs, type Effects } from "./ports/runs/effects.ts";
export type { Load, LoadSource } from "./ports/load.ts";
export type { ModelKeys, StoredModelKey } from "./ports/access/model-keys.ts";
export type { McpPin, McpPins } from "./ports/access/mcp-pins.ts";
export type { OauthClients, StoredOauthClient } from "./ports/access/oauth-clients.ts";
export type { OauthTokens, StoredTokens } from "./ports/access/oauth-tokens.ts";
export type { PartialTextStore } from "./ports/runs/partial-texts.ts";
export type { Rates, Turn } from "./ports/access/rates.ts";
export type { ActiveSession, NewSession, Sessions } from "./ports/access/sessions.ts";
export type { StreamSlots } from "./ports/access/stream-slots.ts";
export type { Delta, TextDelta, ModelPrice, RunModel } from "./ports/model.ts";
export type {
  AppendRequest,
  AppendResult,
  BudgetRefusal,
  ClaimRequest,
  ClaimResult,
  Lease,
  Renewal,
  RunHeader,
  RunLog,
  TakeRequest,
} from "./ports/runs/run-log.ts";
export type {
  CreatedRun,
  EarlierMessage,
  OwnerMessage,
  ListRuns,
  NewRun,
  ParentRun,
  Runs,
} from "./ports/runs/runs.ts";
export type { ToolServers, ToolServersDeps } from "./ports/tool-servers.ts";
export type { ToolSource } from "./ports/tool-source.ts";
export type { RuntimeStore, Store } from "./ports/store.ts";
export type {
  ListThreads,
  Profile,
  ThreadChanges,
  ThreadMessage,
  ThreadPlace,
  Threads,
} from "./ports/runs/threads.ts";
export type { FilePreviewer } from "./ports/file-previewer.ts";
export type { FileCheck, UploadQuota, Uploads } from "./ports/runs/uploads.ts";
export type { Usage, UsageTimes } from "./ports/usage.ts";
export type { UsedKeys } from "./ports/access/used-keys.ts";
export { checkMove, moveEvent, type MovableRun } from "./run/rules/move-run.ts";
export { workerTimeoutMs, type ServedPlaces, type Workers } from "./ports/workers.ts";
export type { Wake, Waker } from "./ports/waker.ts";
