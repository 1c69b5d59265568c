import type {
  ActionError,
  ApprovalState,
  AnswerSchema,
  ClientActionState,
  Place,
  QuestionState,
  AttachedContext,
  AuditActor,
  AuditKind,
  Caps,
  FieldDiff,
  PolicyReason,
  EffectGroup,
  EffectState,
  Failure,
  JsonObject,
  JsonValue,
  Label,
  MemoryEntry,
  MemoryKind,
  MemorySource,
  MemoryState,
  PartialText,
  PersonaSource,
  Risk,
  RunStatus,
  ActionState,
  Settlement,
  TrustLevel,
} from "@bron/protocol";
import type { ColumnType, Generated } from "kysely";
import type { ResultColumns } from "../tables/run-columns.ts";

/** The tables as Kysely types. Each row belongs to an owner, except the one of `instance`. */
export interface Database {
  owners: OwnersTable;
  brons: BronsTable;
  memory_entries: MemoryEntriesTable;
  threads: ThreadsTable;
  task_words: TaskWordsTable;
  runs: RunsTable;
  actions: ActionsTable;
  effects: EffectsTable;
  approvals: ApprovalsTable;
  questions: QuestionsTable;
  client_actions: ClientActionsTable;
  artifacts: ArtifactsTable;
  audit: AuditTable;
  blobs: BlobsTable;
  bron_messages: BronMessagesTable;
  instance: InstanceTable;
  oauth_tokens: OauthTokensTable;
  used_keys: UsedKeysTable;
  uploads: UploadsTable;
  partial_texts: PartialTextsTable;
}

type Json<T> = ColumnType<T, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>;

type Stamp = Generated<Date>;

interface OwnersTable {
  id: string;
  cap_microusd: number | null;
  drawn_microusd: Generated<number>;
  /** Days and months of its caps begin at midnight there. */
  zone: Generated<string>;
  day_cap_microusd: Generated<number | null>;
  month_cap_microusd: Generated<number | null>;
  created_at: Stamp;
}

interface BronsTable {
  id: string;
  owner_id: string;
  name: string;
  avatar_color: string;
  system_prompt: string;
  persona_source: Generated<PersonaSource>;
  memory_summary: string;
  memory_on: Generated<boolean>;
  /** Changes with each change of the summary. */
  memory_version: Generated<number>;
  memory_before: Generated<string | null>;
  memory_updated_at: Generated<Date | null>;
  trust_level: Generated<TrustLevel>;
  /** Null: all tools. */
  tools: Generated<readonly string[] | null>;
  /** Null: the default model. */
  model: Generated<string | null>;
  /** Null: all accepted skills. */
  skills: Generated<readonly string[] | null>;
  max_cost_microusd: Generated<number | null>;
  is_default: Generated<boolean>;
  /** Null: it takes new tasks. */
  archived_at: Generated<Date | null>;
  created_at: Stamp;
  updated_at: Stamp;
}

/** See `MemoryEntry`. What was forgotten has neither text nor words. */
interface MemoryEntriesTable {
  id: string;
  owner_id: string;
  bron_id: string | null;
  text: string;
  digest: string;
  kind: MemoryKind;
  state: MemoryState;
  author: MemoryEntry["author"];
  source: NullableJson<MemorySource>;
  source_run: string | null;
  label: NullableJson<Label>;
  words: string;
  created_at: Stamp;
  updated_at: Stamp;
}

interface ThreadsTable {
  id: string;
  owner_id: string;
  bron_id: string;
  title: string;
  is_default: Generated<boolean>;
  created_at: Stamp;
  /** When the owner last wrote in it. Null for the thread of a child run. */
  updated_at: Date | null;
  archived_at: Date | null;
  pinned_at: Date | null;
  /** The messages that the model is no longer shown, up to this one, in fewer words. */
  older_summary: Generated<string | null>;
  older_up_to: Generated<string | null>;
  older_trusted: Generated<boolean | null>;
}

/** What a search finds a run by. The conversation of a child run is that of its root run. */
interface TaskWordsTable {
  run_id: string;
  owner_id: string;
  thread_id: string;
  words: string;
}

interface RunsTable extends ResultColumns {
  id: string;
  owner_id: string;
  bron_id: string;
  thread_id: string;
  parent_run_id: string | null;
  reported_status: Generated<"running" | "waiting" | "over">;
  retry_of: string | null;
  schedule_id: string | null;
  due_at: Date | null;
  /** The run is judged by at most this trust level. Its child runs and retries have the same. */
  max_trust_level: TrustLevel | null;
  /** The schedule that started it has not counted its end yet. */
  schedule_open: Generated<boolean>;
  title: string;
  prompt: string;
  attached_context: Json<AttachedContext[]>;
  place: NullableJson<Place>;
  caps: Json<Caps>;
  idempotency_key: string | null;
  kind: Generated<"task" | "upkeep">;
  /** The summary of the memory is to be renewed once the run has ended. */
  upkeep_due: Generated<boolean>;
  /** The run that renews it. */
  upkeep_run_id: Generated<string | null>;
  status: RunStatus;
  summary: string | null;
  error: NullableJson<Failure>;
  card: NullableJson<{ kind: string; text: string }>;
  input_tokens: Generated<number>;
  cached_input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  approval_token_hash: string | null;
  log_version: number;
  last_seq: number;
  runnable: boolean;
  wakes: number;
  wake_at: Date | null;
  swept_at: Date | null;
  lease_epoch: Generated<number>;
  lease_owner: string | null;
  lease_until: Date | null;
  claims: Generated<number>;
  cancel_requested_at: Date | null;
  spent_microusd: Generated<number>;
  drawn_microusd: Generated<number>;
  /** See `DayUse`. */
  drawn_day: Generated<string | null>;
  day_drawn_microusd: Generated<number>;
  day_base_microusd: Generated<number>;
  /** Started steps of a run whose caps limit them. */
  steps: Generated<number>;
  /** The runs above this one that have a cap on money or steps, the root first. */
  capped_ancestors: Generated<string[]>;
  /** What the runs below have drawn from the caps of this run. */
  tree_drawn_microusd: Generated<number>;
  tree_steps: Generated<number>;
  created_at: Stamp;
  started_at: Date | null;
  finished_at: Date | null;
  /**
   * The status of a finished run. `status` itself changes at every step, and an index on it would
   * make each of those updates expensive. An upkeep run has none, so that lists and counts leave it
   * out.
   */
  final_status: "completed" | "failed" | "canceled" | null;
}

interface ActionsTable {
  id: string;
  run_id: string;
  owner_id: string;
  step: number;
  call_id: string;
  tool: string;
  state: ActionState;
  error: NullableJson<ActionError>;
  created_at: Stamp;
  updated_at: Stamp;
}

interface EffectsTable {
  id: string;
  run_id: string;
  owner_id: string;
  action_id: string;
  tool: string;
  state: EffectState;
  digest: string;
  prepared: Json<JsonValue>;
  attempts: Generated<number>;
  deadline_at: Date | null;
  outcome: NullableJson<JsonValue>;
  error: NullableJson<ActionError>;
  settled_as: Settlement | null;
  settled_at: Date | null;
  settled_note: string | null;
  /** Set while the owner's request to restore what the effect replaced is carried out. */
  restoring_until: Date | null;
  restored_at: Date | null;
  undo_until: Date | null;
  created_at: Stamp;
  updated_at: Stamp;
}

interface ApprovalsTable {
  id: string;
  run_id: string;
  owner_id: string;
  action_id: string;
  effect_id: string;
  tool: string;
  state: ApprovalState;
  digest: string;
  reasons: Json<PolicyReason[]>;
  preview: string;
  kind: EffectGroup | null;
  risks: Json<Risk[]>;
  diff: Json<FieldDiff[]>;
  reply: string | null;
  undo_until: Date | null;
  reopen_until: Date | null;
  reopened: Generated<number>;
  snoozed_until: Date | null;
  decision_reason: string | null;
  token_hash: string | null;
  created_at: Stamp;
  expires_at: Date;
  decided_at: Date | null;
}

interface QuestionsTable {
  id: string;
  run_id: string;
  owner_id: string;
  action_id: string;
  state: QuestionState;
  text: string;
  choices: Json<string[]>;
  schema: Json<AnswerSchema> | null;
  default: string | null;
  answer: string | null;
  created_at: Stamp;
  expires_at: Date;
  answered_at: Date | null;
}

interface ClientActionsTable {
  id: string;
  run_id: string;
  owner_id: string;
  tool: string;
  program: string;
  input: Json<JsonValue>;
  state: ClientActionState;
  secret_hash: string;
  taken_by: string | null;
  created_at: Stamp;
  expires_at: Date;
  taken_at: Date | null;
  ended_at: Date | null;
}

interface ArtifactsTable {
  id: string;
  run_id: string;
  owner_id: string;
  kind: string;
  name: string;
  media_type: string;
  digest: string;
  size_bytes: number;
  blob_url: string | null;
  data: NullableJson<JsonObject>;
  created_at: Stamp;
}

/** Rows are only inserted and read. The database rejects anything else. */
interface AuditTable {
  id: Generated<number>;
  owner_id: string;
  what: AuditKind;
  by: AuditActor;
  run_id: string | null;
  action_id: string | null;
  effect_id: string | null;
  approval_id: string | null;
  tool: string | null;
  digest: string | null;
  details: Json<JsonObject>;
  created_at: Stamp;
}

interface BlobsTable {
  owner_id: string;
  digest: string;
  /** Null if the content is stored elsewhere. */
  bytes: Buffer | null;
  location: string | null;
  created_at: Stamp;
  kept_at: Stamp;
}

interface BronMessagesTable {
  id: Generated<number>;
  owner_id: string;
  bron_id: string;
  thread_id: string;
  run_id: string | null;
  role: "user" | "assistant" | "system" | "tool";
  content: string;
  trusted: Generated<boolean>;
  as_typed: Generated<boolean>;
  created_at: Stamp;
}

interface OauthTokensTable {
  id: string;
  owner_id: string;
  provider: string;
  user_id: string;
  access_token: string;
  refresh_token: string | null;
  expiry: Date | null;
  scopes: string[];
  created_at: Stamp;
  updated_at: Stamp;
}

interface UploadsTable {
  id: string;
  owner_id: string;
  run_id: string | null;
  filename: string;
  content_type: string;
  digest: string | null;
  size_bytes: number;
  created_at: Stamp;
  expires_at: Date | null;
}

interface UsedKeysTable {
  key: string;
  used_at: Stamp;
}

export interface PartialTextsTable {
  run_id: string;
  owner_id: string;
  step: number;
  attempt: number;
  text: string;
  thoughts: NullableJson<NonNullable<PartialText["thoughts"]>>;
  progress: NullableJson<NonNullable<PartialText["progress"]>>;
  /** A bigint, which arrives as a string. */
  revision: Generated<string>;
}

/** Facts about the entire database, without an owner. */
interface InstanceTable {
  key: string;
  value: string;
}
