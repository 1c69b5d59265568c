import { localServerIds } from "@bron/protocol";
import { z } from "zod";

/** The environment variables that Bron reads, and what their values must be. */

export const logLevels = ["error", "warn", "info", "debug"] as const;
export const logFormats = ["pretty", "json"] as const;

function number(words: string, isValid: (value: number) => boolean) {
  return z.string().transform((value, context) => {
    const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
    if (isValid(parsed)) return parsed;
    context.addIssue({ code: "custom", message: `must be ${words}, not "${value}".` });
    return z.NEVER;
  });
}

const maxCount = 1_000_000;
const atLeastOne = number(
  `a whole number from 1 to ${maxCount}`,
  (value) => Number.isInteger(value) && value >= 1 && value <= maxCount,
).optional();
const count = number(
  `a whole number from 0 to ${maxCount}`,
  (value) => Number.isInteger(value) && value <= maxCount,
).optional();
const text = z.string().optional();
/** `ollama=11434,lmstudio=1234`, or `false` for none. */
const localPorts = z.string().transform((value, context) => {
  if (["false", "no", "0"].includes(value.toLowerCase())) return {};
  const pairs = value.split(",").map((pair) => pair.trim().split("="));
  const isValid = ([name, number = "", ...rest]: string[]) =>
    localServerIds.some((id) => id === name) &&
    /^\d{1,5}$/.test(number) &&
    Number(number) <= 65_535 &&
    rest.length === 0;
  if (pairs.every(isValid))
    return Object.fromEntries(pairs.map(([name = "", number]) => [name, Number(number)]));
  context.addIssue({
    code: "custom",
    message: `must be ports such as ollama=11434,lmstudio=1234, or false, not "${value}".`,
  });
  return z.NEVER;
});
const port = number(
  "a port from 0 to 65535 (0 picks a free one)",
  (value) => Number.isInteger(value) && value <= 65_535,
);
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, {
    error: ({ input }) => `must be one of ${words.join(", ")}, not "${String(input)}".`,
  });

const minSecretBytes = 32;
const yesOrNo = z.enum(["true", "false", "1", "0"], {
  error: ({ input }) => `must be true or false, not "${String(input)}".`,
});
const address = z
  .string()
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: ({ input }) =>
      `must be a URL that starts with http:// or https://, not "${String(input)}".`,
  });

/** An address, or `@example.com` or `example.com` for everyone at a domain. */
const recipients = z
  .string()
  .transform((value, context) => {
    const entries = value.split(",").map((entry) => entry.trim());
    const invalid = entries.find((entry) => !/^(?:[^@\s]*@)?[^@\s]+\.[^@\s.]+$/.test(entry));
    if (invalid === undefined) return entries;
    const message = `must be email addresses and domains, separated by commas. "${invalid}" is neither.`;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .optional();

// Messages repeat the invalid value, except for secrets.
export const variables = z.object({
  BRON_HOME: text,
  DATABASE_URL: z
    .string()
    .regex(
      /^postgres(?:ql)?:\/\/\S+$/,
      "must be a URL of the form postgres://user:password@host:5432/database.",
    )
    .optional(),
  PORT: port.default(4310),
  HOST: z
    .string()
    .regex(/^[\w.:[\]-]+$/, "must be an IP address or host name to listen on.")
    .default("127.0.0.1"),
  BRON_PUBLIC_URL: address.optional(),
  BRON_BEHIND_PROXY: yesOrNo.default("false"),
  FIREBASE_PROJECT_ID: z
    .string()
    .regex(/^[a-z][a-z0-9-]{3,62}$/, "must be a Firebase project ID, such as my-project-1a2b.")
    .optional(),
  FIREBASE_KEYS_URL: address.optional(),
  FIREBASE_COOKIE: z
    .string()
    .regex(/^\w{1,64}$/, "must be a cookie name.")
    .optional(),
  FIREBASE_MAX_SESSION_DAYS: number(
    "a number of days above 0, at most 14",
    (value) => value > 0 && value <= 14,
  ).optional(),
  AGENT_MAX_LOOP_STEPS: number("a whole number from 1 to 15", Number.isInteger).default(8),
  BRON_SECRET_KEY: z
    .string()
    .refine(
      (value) => Buffer.byteLength(value) >= minSecretBytes,
      `must be at least ${minSecretBytes} bytes long.`,
    )
    .optional(),
  BRON_MODEL: text,
  BRON_LIGHT_MODEL: text,
  BRON_LAST_RESORT_MODEL: text,
  BRON_OTHER_MODELS: text,
  BRON_MODEL_DETAILS: text,
  GEMINI_API_KEY: text,
  GEMINI_BASE_URL: text,
  GOOGLE_APPLICATION_CREDENTIALS: text,
  GOOGLE_CLOUD_PROJECT: text,
  GOOGLE_CLOUD_LOCATION: text,
  VERTEX_BASE_URL: text,
  ANTHROPIC_API_KEY: text,
  ANTHROPIC_BASE_URL: text,
  OPENAI_API_KEY: text,
  OPENAI_BASE_URL: text,
  GOOGLE_CLIENT_ID: text,
  GOOGLE_CLIENT_SECRET: text,
  SLACK_BOT_TOKEN: z
    .string()
    .regex(/^xox[bp]-\S+$/, "must be a Slack app token, which starts with xoxb-.")
    .optional(),
  SLACK_CLIENT_ID: text,
  SLACK_CLIENT_SECRET: text,
  BRON_LOCAL_MODELS: localPorts.optional(),
  BRON_SANDBOX: yesOrNo.optional(),
  AGENT_SIDE_EFFECTS_ENABLED: yesOrNo.default("true"),
  BRON_ONLY_RECIPIENTS: recipients,
  BRON_UNDO_SECONDS: number("a number of seconds from 0 to 60", (value) => value <= 60).default(5),
  BRON_CAP_MINUTES: number(
    "a number of minutes above 0, at most 10080 (a week)",
    (value) => value > 0 && value <= 10_080,
  ).optional(),
  BRON_CAP_MODEL_TURNS: atLeastOne,
  BRON_CAP_TOOL_CALLS: atLeastOne,
  BRON_CAP_GMAIL_CALLS: count,
  BRON_CAP_WEB_CALLS: count,
  BRON_CAP_CHILDREN: count,
  BRON_CAP_DEPTH: count,
  BRON_CAP_ATTACHMENT_MB: number(
    "a number of megabytes above 0, at most 1024",
    (value) => value > 0 && value <= 1_024,
  ).optional(),
  BRON_CAP_TAIL_MESSAGES: count,
  BRON_CAP_CONTEXT_TOKENS: atLeastOne,
  BRON_CAP_DOLLARS: number(
    "an amount in US dollars such as 0.50, at most 1000000",
    (value) => value <= 1_000_000,
  ).optional(),
  BRON_LIMIT_RUNS_PER_WORKER: atLeastOne,
  BRON_LIMIT_RUNS_PER_USER: atLeastOne,
  BRON_LIMIT_RUNS_IN_ALL: atLeastOne,
  BRON_LIMIT_RUN_CREATES_PER_USER: count,
  BRON_LIMIT_RUN_CREATES_PER_ADDRESS: count,
  BRON_LIMIT_APPROVALS: count,
  BRON_LIMIT_REFUSED_DECISIONS: count,
  BRON_LIMIT_UPLOADS: count,
  BRON_LIMIT_UPLOAD_MB: count,
  BRON_LIMIT_UPLOAD_MB_IN_ALL: count,
  BRON_LIMIT_CONNECTS: count,
  BRON_LIMIT_STREAMS: count,
  S3_ENDPOINT: address.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be a bucket name.")
    .optional(),
  S3_REGION: text,
  S3_ACCESS_KEY_ID: text,
  S3_SECRET_ACCESS_KEY: text,
  OTEL_EXPORTER_OTLP_ENDPOINT: address.optional(),
  BRON_TRACE_CONTENT: yesOrNo.default("false"),
  LOG_LEVEL: oneOf(logLevels).default("info"),
  LOG_FORMAT: oneOf(logFormats).default("pretty"),
  BRON_WORKER_PORT: port.optional(),
  BRON_TOKEN: text,
});

/** Every variable that Bron reads. The docs check uses this list. */
export const variableNames: readonly string[] = Object.keys(variables.shape);

export type Variables = z.infer<typeof variables>;

export function isYes(value: string): boolean {
  return value === "true" || value === "1";
}
