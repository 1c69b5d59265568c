/**
 * Every error code. Errors that are `public` leave the process with their message. All others are
 * reported as `internal` with a reference. Code that decides about a retry must look only at
 * `retryable`.
 */
interface ErrorDefinition {
  readonly status: number;
  readonly retryable: boolean;
  readonly public: boolean;
  /** The anchor in docs/errors.md. */
  readonly slug: string;
  /** What the person can do next. */
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
  invalid_input: define(400, {}, "invalid-input", "Correct the input, then try again."),
  too_large: define(413, {}, "too-large", "Shorten the task, or attach the text as a file."),
  upload_quota: define(
    413,
    {},
    "upload-quota",
    "Attach the uploaded files to a task, or wait. Files that aren't attached are deleted after a day.",
  ),
  unauthenticated: define(401, {}, "unauthenticated", "Sign in and try again."),
  sign_in_unavailable: define(
    503,
    { retryable: true },
    "sign-in-unavailable",
    "Try again in a moment.",
  ),
  forbidden: define(
    403,
    {},
    "forbidden",
    "Check that you're signed in as the right user, and that your token has the scope for this.",
  ),
  not_found: define(
    404,
    {},
    "not-found",
    "Check the ID. It may not exist, or you may not have access.",
  ),
  conflict: define(409, {}, "conflict", "This changed in the meantime. Reload and try again."),
  method_not_allowed: define(
    405,
    {},
    "method-not-allowed",
    "Use one of the methods in the Allow header.",
  ),
  body_timeout: define(
    408,
    { retryable: true },
    "body-timeout",
    "The upload took too long. Try again.",
  ),
  wrong_content_type: define(
    415,
    {},
    "wrong-content-type",
    "Send JSON with the header Content-Type: application/json.",
  ),
  wrong_host: define(421, {}, "wrong-host", "Use the URL printed when Bron started."),
  rate_limited: define(
    429,
    { retryable: true },
    "rate-limited",
    "Too many requests. Wait a moment and try again.",
  ),

  // Approvals and effects
  digest_mismatch: define(
    409,
    {},
    "digest-mismatch",
    "The content changed. Review it again before approving.",
  ),
  approval_closed: define(409, {}, "approval-closed", "Open the task to see what happened."),
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
    "Nothing was sent or changed. Start the task again if you still want it.",
  ),
  effect_unknown: define(
    502,
    {},
    "effect-unknown",
    "Check whether it went through before retrying.",
  ),

  // Tools
  unknown_tool: define(
    422,
    {},
    "unknown-tool",
    "The model asked for a tool that doesn't exist. Rephrase the task or switch models.",
  ),
  tool_removed: define(
    409,
    {},
    "tool-removed",
    "The Bron no longer has this tool. Change its tools on its page, then retry the task.",
  ),
  tool_changed: define(
    409,
    {},
    "tool-changed",
    "Bron will call the new version of the tool. If it changes something, you'll be asked again.",
  ),
  invalid_arguments: define(
    422,
    {},
    "invalid-arguments",
    "The model passed invalid arguments. The error names each one, so that the model can correct it.",
  ),
  tool_failed: define(
    502,
    {},
    "tool-failed",
    "Read the tool's message. If the cause is temporary, retry the task.",
  ),
  tool_timeout: define(
    504,
    { retryable: true },
    "tool-timeout",
    "The tool took too long. Retry the task.",
  ),
  missing_credentials: define(
    401,
    {},
    "missing-credentials",
    "Connect the account that this tool needs.",
  ),

  // Caps and budget
  step_limit: define(422, {}, "step-limit", 'Reply "continue", or raise AGENT_MAX_LOOP_STEPS.'),
  cap_time: define(422, {}, "cap-time", "Split the task, or raise BRON_CAP_MINUTES."),
  cap_children: define(
    422,
    {},
    "cap-children",
    "Use fewer subtasks, or raise BRON_CAP_CHILDREN or BRON_CAP_DEPTH.",
  ),
  child_failed: define(422, {}, "child-failed", "Check the failed subtask, then retry."),
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
  budget_exhausted: define(
    402,
    {},
    "budget-exhausted",
    "Raise the spending limit, or use a cheaper model.",
  ),
  price_unknown: define(
    422,
    {},
    "price-unknown",
    "Set a price for this model, or remove the spending limit.",
  ),

  // Models
  model_unknown: define(400, {}, "model-unknown", "Set BRON_MODEL to a known provider and model."),
  model_unavailable: define(
    503,
    { retryable: true },
    "model-unavailable",
    "Try again in a few minutes, or choose another model with BRON_MODEL or with your own key under Connections.",
  ),
  model_rate_limited: define(
    429,
    { retryable: true },
    "model-rate-limited",
    "Try again in a few minutes, or choose another model with BRON_MODEL.",
  ),
  model_refused: define(
    422,
    {},
    "model-refused",
    "The model provider rejected the request. Check its message and your key under Connections.",
  ),
  model_response_invalid: define(
    502,
    { retryable: true },
    "model-response-invalid",
    "Retry the task, or choose another model with BRON_MODEL.",
  ),
  model_response_too_long: define(
    502,
    {},
    "model-response-too-long",
    "Retry with a narrower task, or choose another model.",
  ),
  model_timeout: define(
    504,
    { retryable: true },
    "model-timeout",
    "Try again in a few minutes, or choose another model.",
  ),

  // The engine
  run_keeps_failing: define(
    500,
    {},
    "run-keeps-failing",
    "This run failed on three workers. Check their logs, then retry.",
  ),
  lease_lost: define(409, { private: true }, "lease-lost", "Another worker took over this run."),
  log_too_new: define(
    409,
    {},
    "log-too-new",
    "A newer version of Bron wrote this run. Upgrade this worker.",
  ),

  // Connecting to a running Bron
  server_unreachable: define(
    503,
    { retryable: true },
    "server-unreachable",
    "Make sure the server is running (`bron start`), then try again.",
  ),

  // Configuration and storage
  config_invalid: define(
    500,
    {},
    "config-invalid",
    "Fix the variable or setting named in the message.",
  ),
  home_unusable: define(500, {}, "home-unusable", "Set BRON_HOME to a writable folder."),
  home_busy: define(
    409,
    {},
    "home-busy",
    "Stop the other Bron, or give this one its own BRON_HOME and PORT.",
  ),
  port_taken: define(409, {}, "port-taken", "Set PORT to a free port."),
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
    "Start the version of Bron that created this home, or use another BRON_HOME.",
  ),
  postgres_failed: define(
    500,
    {},
    "postgres-failed",
    "Read the end of the Postgres log named in the message.",
  ),
  database_unreachable: define(
    503,
    { retryable: true },
    "database-unreachable",
    "Check DATABASE_URL, and that the database server is running.",
  ),
  database_busy: define(
    503,
    { retryable: true },
    "database-busy",
    "Try again in a moment. If it persists, check the database's load and its max_connections.",
  ),
  database_refused: define(
    500,
    {},
    "database-refused",
    "Check the user, password and database name in DATABASE_URL.",
  ),
  database_too_old: define(
    500,
    {},
    "database-too-old",
    "Start the version of Bron named above once, or use another BRON_HOME.",
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
    "Use this database's original BRON_SECRET_KEY.",
  ),
  storage_unreachable: define(
    503,
    { retryable: true },
    "storage-unreachable",
    "Check the S3_ variables, and that the store is running. No data was lost.",
  ),
  store_full: define(
    507,
    { retryable: true },
    "store-full",
    "Wait until a task ends, or stop one. Then try again.",
  ),
  disk_full: define(507, { retryable: true }, "disk-full", "Free up disk space. No data was lost."),

  interrupted: define(
    499,
    {},
    "interrupted",
    "The task is saved. Run `bron start` to continue it.",
  ),
  internal: define(
    500,
    { private: true },
    "internal",
    "Report this problem and include the reference.",
  ),
} as const satisfies Record<string, ErrorDefinition>;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as readonly ErrorCode[];

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && Object.hasOwn(errorTable, value);
}
