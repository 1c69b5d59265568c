/**
 * Every error that Bron knows, in one table. `public` codes leave the process with their message; all others
 * become `internal` with a reference. `retryable` is the only thing that a retry may look at.
 */
export interface ErrorDefinition {
  readonly status: number;
  readonly retryable: boolean;
  readonly public: boolean;
  /** Anchor in docs/errors.md. */
  readonly slug: string;
  /** What a person can do next. */
  readonly hint: string;
}

function define(
  status: number,
  flags: { retryable?: boolean; private?: boolean },
  slug: string,
  hint: string,
): ErrorDefinition {
  return {
    status,
    retryable: flags.retryable ?? false,
    public: !(flags.private ?? false),
    slug,
    hint,
  };
}

export const errorTable = {
  // The request
  invalid_input: define(400, {}, "invalid-input", "Correct the named field and send it again."),
  too_large: define(413, {}, "too-large", "Shorten the task, or attach the text as a file."),
  upload_quota: define(
    413,
    {},
    "upload-quota",
    "Attach the files that wait to a task, or wait: a file that is attached to none is removed after a day.",
  ),
  unauthenticated: define(401, {}, "unauthenticated", "Sign in and try again."),
  sign_in_unavailable: define(
    503,
    { retryable: true },
    "sign-in-unavailable",
    "Try again in a moment.",
  ),
  forbidden: define(403, {}, "forbidden", "Use an account that may do this."),
  not_found: define(
    404,
    {},
    "not-found",
    "Check the id: it does not exist or belongs to someone else.",
  ),
  conflict: define(409, {}, "conflict", "Read the current state, then decide again."),
  method_not_allowed: define(
    405,
    {},
    "method-not-allowed",
    "Use one of the methods that the Allow header names.",
  ),
  body_timeout: define(408, { retryable: true }, "body-timeout", "Send the whole body at once."),
  wrong_content_type: define(
    415,
    {},
    "wrong-content-type",
    "Send JSON with the header Content-Type: application/json.",
  ),
  wrong_host: define(421, {}, "wrong-host", "Use the address that Bron printed."),
  rate_limited: define(
    429,
    { retryable: true },
    "rate-limited",
    "Wait for the time given and try again.",
  ),

  // Approvals and effects
  digest_mismatch: define(
    409,
    {},
    "digest-mismatch",
    "Show the approval again and decide on what it says now.",
  ),
  approval_closed: define(
    409,
    {},
    "approval-closed",
    "It was already decided, expired or replaced; look at the run.",
  ),
  form_outdated: define(
    409,
    {},
    "form-outdated",
    "Ask for it again. Bron prepares a new version and shows it to you.",
  ),
  effect_not_done: define(
    502,
    {},
    "effect-not-done",
    "Nothing happened outside; it can be tried again.",
  ),
  effect_unknown: define(
    502,
    {},
    "effect-unknown",
    "Check outside whether it happened before doing it again.",
  ),

  // Tools
  unknown_tool: define(
    422,
    {},
    "unknown-tool",
    "The model named a tool that does not exist; try other words or another model.",
  ),
  invalid_arguments: define(
    422,
    {},
    "invalid-arguments",
    "The model called a tool wrongly; it is told which argument failed.",
  ),
  tool_failed: define(
    502,
    {},
    "tool-failed",
    "Look at the tool's message; retry the run if it was a passing fault.",
  ),
  tool_timeout: define(
    504,
    { retryable: true },
    "tool-timeout",
    "The tool took too long; retry the run.",
  ),
  missing_credentials: define(
    401,
    {},
    "missing-credentials",
    "Connect the account that this tool needs.",
  ),

  // Caps and budget
  step_limit: define(
    422,
    {},
    "step-limit",
    "Ask it to go on in a new run, or raise AGENT_MAX_LOOP_STEPS.",
  ),
  cap_time: define(422, {}, "cap-time", "Split the task, or raise BRON_CAP_MINUTES."),
  cap_children: define(
    422,
    {},
    "cap-children",
    "Do the rest of it without handing it over, or raise BRON_CAP_CHILDREN.",
  ),
  child_failed: define(
    422,
    {},
    "child-failed",
    "Look at the part that failed, then try the task again.",
  ),
  cap_model_turns: define(
    422,
    {},
    "cap-model-turns",
    "Split the task, or raise BRON_CAP_MODEL_TURNS.",
  ),
  cap_tool_calls: define(
    422,
    {},
    "cap-tool-calls",
    "Narrow the task, or raise BRON_CAP_TOOL_CALLS.",
  ),
  budget_exhausted: define(402, {}, "budget-exhausted", "Raise the cap, or use a cheaper model."),
  price_unknown: define(
    422,
    {},
    "price-unknown",
    "Give a price for this model, or remove the money cap.",
  ),

  // Models
  model_unknown: define(400, {}, "model-unknown", "Set BRON_MODEL to a known provider and model."),
  model_unavailable: define(
    503,
    { retryable: true },
    "model-unavailable",
    "Retry the run in a while, or choose another model: with BRON_MODEL, or with a key of your own under Connections.",
  ),
  model_rate_limited: define(
    429,
    { retryable: true },
    "model-rate-limited",
    "Retry the run in a while, or choose another model with BRON_MODEL.",
  ),
  model_refused: define(
    422,
    {},
    "model-refused",
    "The provider refused the request; look at its message, and at your keys under Connections.",
  ),
  model_nonsense: define(
    502,
    { retryable: true },
    "model-nonsense",
    "Retry the run, or choose another model with BRON_MODEL.",
  ),
  model_runaway: define(
    502,
    {},
    "model-runaway",
    "Retry the run with a narrower task, or choose another model.",
  ),
  model_timeout: define(
    504,
    { retryable: true },
    "model-timeout",
    "Retry the run in a while, or choose another model.",
  ),

  // The engine
  run_poisoned: define(
    500,
    {},
    "run-poisoned",
    "Three workers failed on this run; look at their logs, then retry the run.",
  ),
  lease_lost: define(409, { private: true }, "lease-lost", "Another worker goes on with this run."),
  log_too_new: define(
    409,
    {},
    "log-too-new",
    "Upgrade this worker: the run was written by a newer Bron.",
  ),

  // The way to a running Bron
  server_unreachable: define(
    503,
    { retryable: true },
    "server-unreachable",
    "Check that Bron runs and try again.",
  ),

  // Configuration and storage
  config_invalid: define(500, {}, "config-invalid", "Correct the named variable."),
  home_unusable: define(
    500,
    {},
    "home-unusable",
    "Set BRON_HOME to a folder that you may write to.",
  ),
  home_busy: define(
    409,
    {},
    "home-busy",
    "Stop the other Bron, or give this one its own BRON_HOME and PORT.",
  ),
  port_taken: define(409, {}, "port-taken", "Set PORT to a free one."),
  postgres_missing: define(
    500,
    {},
    "postgres-missing",
    "Install the dependencies again, or set DATABASE_URL.",
  ),
  postgres_version: define(
    500,
    {},
    "postgres-version",
    "Start the version of Bron that made this home, or use another BRON_HOME.",
  ),
  postgres_failed: define(
    500,
    {},
    "postgres-failed",
    "Look at the end of the Postgres log that the message names.",
  ),
  database_unreachable: define(
    503,
    { retryable: true },
    "database-unreachable",
    "Check DATABASE_URL and that the server is up.",
  ),
  database_busy: define(
    503,
    { retryable: true },
    "database-busy",
    "Try again in a moment. If it lasts, look at the database's load and its max_connections.",
  ),
  database_refused: define(
    500,
    {},
    "database-refused",
    "Check user, password and database name in DATABASE_URL.",
  ),
  secret_key_missing: define(
    500,
    {},
    "secret-key-missing",
    "Set BRON_SECRET_KEY (32 bytes or more, the same on every machine).",
  ),
  secret_key_changed: define(
    500,
    {},
    "secret-key-changed",
    "Use the BRON_SECRET_KEY that this database was set up with.",
  ),
  storage_unreachable: define(
    503,
    { retryable: true },
    "storage-unreachable",
    "Check the S3_ variables and that the store is up; nothing was lost.",
  ),
  disk_full: define(507, { retryable: true }, "disk-full", "Free some space; nothing was lost."),

  interrupted: define(499, {}, "interrupted", "The run is kept; start Bron to let it go on."),
  internal: define(500, { private: true }, "internal", "Report it with the reference."),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as readonly ErrorCode[];

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorTable, value);
}
