import { BronError } from "@bron/core";
import type { ModelSettings } from "@bron/models";
import { defaultCaps, defaultRates, type Caps } from "@bron/protocol";
import type { ServerOptions } from "@bron/server";
import type { PostgresRuntimeOptions } from "@bron/runtime";
import { z } from "zod";
import { homePath } from "./home-path.ts";

export type LogLevel = (typeof logLevels)[number];
type LogFormat = (typeof logFormats)[number];

export interface Config {
  /** Absolute path of the home. */
  readonly home: string;
  readonly databaseUrl?: string;
  readonly secretKey?: string;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly model: ModelSettings;
  /** The owner's OAuth client at Google. Without it, mail and calendar are simulated. */
  readonly google?: { readonly clientId: string; readonly clientSecret: string };
  /** A bot token of the workspace's own app, or an app that people sign in to. */
  readonly slack?:
    | { readonly botToken: string }
    | { readonly app: { readonly clientId: string; readonly clientSecret: string } };
  /** False forbids every effect, even a draft. */
  readonly sideEffects: boolean;
  /** How long an approval can be undone before it is carried out. */
  readonly undoMs: number;
  readonly caps: Partial<Caps>;
  readonly limits: NonNullable<PostgresRuntimeOptions["limits"]>;
  readonly uploadQuota: NonNullable<PostgresRuntimeOptions["uploadQuota"]>;
  /** Public address, sign-in and rate limits. */
  readonly server: ServerSettings;
  /** Storage for bytes. Without it they are stored in the database. */
  readonly s3?: S3Settings;
  /** Where traces are sent. `withContent` adds prompts and results, and is off by default. */
  readonly traces?: { readonly endpoint: string; readonly withContent: boolean };
  readonly logLevel: LogLevel;
  /** Format of standard error: text for people, or one JSON object per line. */
  readonly logFormat: LogFormat;
  /** Port for a worker's health checks and metrics. 0 picks a free port; unset disables them. */
  readonly workerPort?: number;
}

export type ServerSettings = Pick<
  ServerOptions,
  "publicUrl" | "behindProxy" | "firebase" | "rates" | "maxStreams" | "maxAgentSteps"
>;

type S3Settings = NonNullable<PostgresRuntimeOptions["s3"]>;

export interface ConfigProblem {
  readonly variable: string;
  readonly message: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const logLevels = ["error", "warn", "info", "debug"] as const;
const logFormats = ["pretty", "json"] as const;

/** Throws config_invalid with every invalid variable and what its value must be. */
export function loadConfig(env: Environment): Config {
  const { config, problems } = readConfig(env);
  if (problems.length === 0) return config;
  throw new BronError("config_invalid", problems.map(({ message }) => message).join("\n"), {
    details: { variables: problems.map(({ variable }) => variable) },
  });
}

/** Never throws. Returns the problems, and the configuration without the invalid variables. */
export function readConfig(env: Environment): {
  readonly config: Config;
  readonly problems: readonly ConfigProblem[];
} {
  const values = Object.fromEntries(
    Object.keys(variables.shape).flatMap((name) =>
      isSet(env[name]) ? [[name, env[name].trim()]] : [],
    ),
  );
  const parsed = variables.safeParse(values);
  if (parsed.success) return { config: toConfig(parsed.data), problems: pairProblems(values) };
  const problems = parsed.error.issues.map((issue) => ({
    variable: String(issue.path[0]),
    message: `${String(issue.path[0])} ${issue.message}`,
  }));
  const invalid = new Set(problems.map(({ variable }) => variable));
  return {
    config: toConfig(
      variables.parse(
        Object.fromEntries(Object.entries(values).filter(([name]) => !invalid.has(name))),
      ),
    ),
    problems,
  };
}

/** An empty value, such as `PORT=` in an env file, counts as not set. */
function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

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
const port = number(
  "a port from 0 to 65535 (0 picks a free one)",
  (value) => Number.isInteger(value) && value <= 65_535,
);
const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.enum(words, {
    error: ({ input }) => `must be one of ${words.join(", ")}, not "${String(input)}".`,
  });

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i;
const minSecretBytes = 32;
const yesOrNo = z.enum(["true", "false", "1", "0"], {
  error: ({ input }) => `must be true or false, not "${String(input)}".`,
});
const isYes = (value: string) => value === "true" || value === "1";
const address = z
  .string()
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: ({ input }) =>
      `must be a URL that starts with http:// or https://, not "${String(input)}".`,
  });

// Messages repeat the invalid value, except for secrets.
const variables = z.object({
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
  GEMINI_API_KEY: text,
  GEMINI_BASE_URL: text,
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
  AGENT_SIDE_EFFECTS_ENABLED: yesOrNo.default("true"),
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
  BRON_CAP_ATTACHMENT_MB: number(
    "a number of megabytes above 0, at most 1024",
    (value) => value > 0 && value <= 1_024,
  ).optional(),
  BRON_CAP_TAIL_MESSAGES: count,
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
});

/** Every variable that Bron reads. The docs check uses this list. */
export const variableNames: readonly string[] = Object.keys(variables.shape);

const s3Names = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** Problems of variables that depend on each other. */
function pairProblems(values: Readonly<Record<string, unknown>>): ConfigProblem[] {
  const missing = s3Names.filter((name) => values[name] === undefined);
  const host = typeof values["HOST"] === "string" ? values["HOST"] : "";
  return [
    ...appProblems(values),
    ...(missing.length === 0 || missing.length === s3Names.length
      ? []
      : missing.map((variable) => ({
          variable,
          message: `${variable} must be set too. S3 needs all of ${s3Names.join(", ")}.`,
        }))),
    ...(host === "" || loopback.test(host) || values["BRON_PUBLIC_URL"] !== undefined
      ? []
      : [
          {
            variable: "HOST",
            message: `HOST must be a loopback address (127.0.0.1, ::1 or localhost), not "${host}". To let others connect, set BRON_PUBLIC_URL to the address that they use.`,
          },
        ]),
  ];
}

/**
 * Setting only one of the two is reported as a mistake, instead of falling back to the simulator.
 */
function appProblems(values: Readonly<Record<string, unknown>>): ConfigProblem[] {
  return (["GOOGLE", "SLACK"] as const).flatMap((name) => {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`];
    if ((values[id] === undefined) === (values[secret] === undefined)) return [];
    const variable = values[id] === undefined ? id : secret;
    return [
      {
        variable,
        message: `${variable} must be set too. ${name === "GOOGLE" ? "Google" : "Slack"} needs both the client ID and the client secret.`,
      },
    ];
  });
}

type Variables = z.infer<typeof variables>;

function toConfig(values: Variables): Config {
  return compact({
    home: homePath(values.BRON_HOME),
    databaseUrl: values.DATABASE_URL,
    secretKey: values.BRON_SECRET_KEY,
    host: values.HOST.replace(/^\[|\]$/g, "").toLowerCase(),
    port: values.PORT,
    model: compact({
      model: values.BRON_MODEL,
      geminiApiKey: values.GEMINI_API_KEY,
      geminiBaseUrl: values.GEMINI_BASE_URL,
      anthropicApiKey: values.ANTHROPIC_API_KEY,
      anthropicBaseUrl: values.ANTHROPIC_BASE_URL,
      openaiApiKey: values.OPENAI_API_KEY,
      openaiBaseUrl: values.OPENAI_BASE_URL,
    }),
    google:
      values.GOOGLE_CLIENT_ID !== undefined && values.GOOGLE_CLIENT_SECRET !== undefined
        ? { clientId: values.GOOGLE_CLIENT_ID, clientSecret: values.GOOGLE_CLIENT_SECRET }
        : undefined,
    slack: toSlack(values),
    sideEffects: isYes(values.AGENT_SIDE_EFFECTS_ENABLED),
    undoMs: Math.round(values.BRON_UNDO_SECONDS * 1_000),
    caps: toCaps(values),
    limits: compact({
      perWorker: values.BRON_LIMIT_RUNS_PER_WORKER,
      perOwner: values.BRON_LIMIT_RUNS_PER_USER,
      inAll: values.BRON_LIMIT_RUNS_IN_ALL,
    }),
    uploadQuota: compact({
      ownerBytes: megabytes(values.BRON_LIMIT_UPLOAD_MB),
      allBytes: megabytes(values.BRON_LIMIT_UPLOAD_MB_IN_ALL),
    }),
    server: toServerSettings(values),
    s3: toS3(values),
    traces:
      values.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
            withContent: isYes(values.BRON_TRACE_CONTENT),
          },
    logLevel: values.LOG_LEVEL,
    logFormat: values.LOG_FORMAT,
    workerPort: values.BRON_WORKER_PORT,
  });
}

function toServerSettings(values: Variables): ServerSettings {
  const { createRun, approve, refusedDecision, upload, connect, callback } = defaultRates;
  const connects = values.BRON_LIMIT_CONNECTS;
  return compact({
    publicUrl: values.BRON_PUBLIC_URL === undefined ? undefined : new URL(values.BRON_PUBLIC_URL),
    behindProxy: isYes(values.BRON_BEHIND_PROXY),
    firebase:
      values.FIREBASE_PROJECT_ID === undefined
        ? undefined
        : compact({
            projectId: values.FIREBASE_PROJECT_ID,
            keysUrl: values.FIREBASE_KEYS_URL,
            cookieName: values.FIREBASE_COOKIE,
            maxAgeMs:
              values.FIREBASE_MAX_SESSION_DAYS === undefined
                ? undefined
                : values.FIREBASE_MAX_SESSION_DAYS * 86_400_000,
          }),
    rates: {
      createRun: {
        perUser: values.BRON_LIMIT_RUN_CREATES_PER_USER ?? createRun.perUser,
        perAddress: values.BRON_LIMIT_RUN_CREATES_PER_ADDRESS ?? createRun.perAddress,
      },
      approve: { ...approve, perUser: values.BRON_LIMIT_APPROVALS ?? approve.perUser },
      refusedDecision: {
        ...refusedDecision,
        perUser: values.BRON_LIMIT_REFUSED_DECISIONS ?? refusedDecision.perUser,
      },
      upload: { ...upload, perUser: values.BRON_LIMIT_UPLOADS ?? upload.perUser },
      connect: { ...connect, perUser: connects ?? connect.perUser },
      callback: { ...callback, perAddress: connects ?? callback.perAddress },
    },
    maxStreams: values.BRON_LIMIT_STREAMS,
    // The agent API clamps this value to 1..15 instead of rejecting it.
    maxAgentSteps: Math.min(15, Math.max(1, values.AGENT_MAX_LOOP_STEPS)),
  });
}

function toS3({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: bucket,
  S3_REGION: region,
  S3_ACCESS_KEY_ID: accessKeyId,
  S3_SECRET_ACCESS_KEY: secretAccessKey,
}: Variables): S3Settings | undefined {
  if (
    endpoint === undefined ||
    bucket === undefined ||
    accessKeyId === undefined ||
    secretAccessKey === undefined
  )
    return undefined;
  return { endpoint, bucket, region: region ?? "us-east-1", accessKeyId, secretAccessKey };
}

/** If both are set, the bot token wins over the app. */
function toSlack({
  SLACK_BOT_TOKEN: botToken,
  SLACK_CLIENT_ID: clientId,
  SLACK_CLIENT_SECRET: clientSecret,
}: Variables): Config["slack"] {
  if (botToken !== undefined) return { botToken };
  return clientId === undefined || clientSecret === undefined
    ? undefined
    : { app: { clientId, clientSecret } };
}

function toCaps(values: Variables): Partial<Caps> {
  const scaled = (value: number | undefined, factor: number) =>
    value === undefined ? undefined : Math.max(1, Math.round(value * factor));
  const groups = compact({ gmail: values.BRON_CAP_GMAIL_CALLS, web: values.BRON_CAP_WEB_CALLS });
  return compact({
    activeMs: scaled(values.BRON_CAP_MINUTES, 60_000),
    modelTurns: values.BRON_CAP_MODEL_TURNS,
    toolCalls: values.BRON_CAP_TOOL_CALLS,
    // Caps are merged field by field, and all groups together are one field.
    toolCallsByGroup:
      Object.keys(groups).length === 0 ? undefined : { ...defaultCaps.toolCallsByGroup, ...groups },
    children: values.BRON_CAP_CHILDREN,
    attachmentBytes: scaled(values.BRON_CAP_ATTACHMENT_MB, 1024 * 1024),
    tailMessages: values.BRON_CAP_TAIL_MESSAGES,
    costMicrousd:
      values.BRON_CAP_DOLLARS === undefined ? undefined : microusd(values.BRON_CAP_DOLLARS),
  });
}

function megabytes(value: number | undefined): number | undefined {
  return value === undefined ? undefined : value * 1024 * 1024;
}

export function microusd(dollars: number): number {
  return Math.round(dollars * 1_000_000);
}

type Compact<T> = {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
} & { [K in keyof T as undefined extends T[K] ? never : K]: T[K] };

/** Removes the members that are undefined. */
function compact<T extends object>(value: T): Compact<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Compact<T>;
}
