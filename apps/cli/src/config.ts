import { BronError } from "@bron/core";
import type { ModelSettings } from "@bron/models";
import { defaultCaps, defaultRates, type Caps } from "@bron/protocol";
import type { ServerOptions } from "@bron/server";
import type { RuntimeOptions } from "bron";
import { z } from "zod";
import { homePath } from "./home-path.ts";

export type LogLevel = (typeof logLevels)[number];
type LogFormat = (typeof logFormats)[number];

export interface Config {
  /** Absolute. */
  readonly home: string;
  readonly databaseUrl?: string;
  readonly secretKey?: string;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly model: ModelSettings;
  /** The owner's own app at Google; without it mail is simulated. */
  readonly google?: { readonly clientId: string; readonly clientSecret: string };
  /** A token of the workspace's own app, or an app that people sign in to. */
  readonly slack?:
    | { readonly botToken: string }
    | { readonly app: { readonly clientId: string; readonly clientSecret: string } };
  /** False: nothing outside is changed, not even a draft. */
  readonly sideEffects: boolean;
  /** How long an approval can be taken back before it is carried out. */
  readonly undoMs: number;
  readonly caps: Partial<Caps>;
  readonly limits: NonNullable<RuntimeOptions["limits"]>;
  readonly uploadQuota: NonNullable<RuntimeOptions["uploadQuota"]>;
  /** How this server is reached, and by whom. */
  readonly server: ServerSettings;
  /** Where bytes are kept, if not in the database. */
  readonly s3?: S3Settings;
  /** Where traces are sent; with the words of runs only if that is asked for. */
  readonly traces?: { readonly endpoint: string; readonly withContent: boolean };
  readonly logLevel: LogLevel;
  /** Of standard error: words for people, or a line of JSON for each thing. */
  readonly logFormat: LogFormat;
  /** Where a worker answers probes and scrapers; nowhere if it is not set. 0 takes a free one. */
  readonly workerPort?: number;
}

export type ServerSettings = Pick<
  ServerOptions,
  "publicUrl" | "behindProxy" | "firebase" | "rates" | "maxStreams" | "maxAgentSteps"
>;

type S3Settings = NonNullable<RuntimeOptions["s3"]>;

export interface ConfigProblem {
  readonly variable: string;
  readonly message: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

const logLevels = ["error", "warn", "info", "debug"] as const;
const logFormats = ["pretty", "json"] as const;

/** Throws config_invalid, naming every variable that is wrong and what it must be. */
export function loadConfig(env: Environment): Config {
  const { config, problems } = readConfig(env);
  if (problems.length === 0) return config;
  throw new BronError("config_invalid", problems.map(({ message }) => message).join("\n"), {
    details: { variables: problems.map(({ variable }) => variable) },
  });
}

/** For the doctor: what is wrong, and the configuration as if those variables were not set. */
export function readConfig(env: Environment): {
  readonly config: Config;
  readonly problems: readonly ConfigProblem[];
} {
  const given = Object.fromEntries(
    Object.keys(variables.shape).flatMap((name) =>
      isSet(env[name]) ? [[name, env[name].trim()]] : [],
    ),
  );
  const parsed = variables.safeParse(given);
  if (parsed.success) return { config: toConfig(parsed.data), problems: pairProblems(given) };
  const problems = parsed.error.issues.map((issue) => ({
    variable: String(issue.path[0]),
    message: `${String(issue.path[0])} ${issue.message}`,
  }));
  const wrong = new Set(problems.map(({ variable }) => variable));
  return {
    config: toConfig(
      variables.parse(
        Object.fromEntries(Object.entries(given).filter(([name]) => !wrong.has(name))),
      ),
    ),
    problems,
  };
}

/** `PORT=` in an env file means "not set". */
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
  "a port from 0 to 65535 (0 takes a free one)",
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
      `must be an address that begins with http:// or https://, not "${String(input)}".`,
  });

// Messages repeat what was given, except where it is a secret.
const variables = z.object({
  BRON_HOME: text,
  DATABASE_URL: z
    .string()
    .regex(
      /^postgres(?:ql)?:\/\/\S+$/,
      "must be an address of the form postgres://user:password@host:5432/database.",
    )
    .optional(),
  PORT: port.default(4310),
  HOST: z
    .string()
    .regex(/^[\w.:[\]-]+$/, "must be an address or a name to listen on.")
    .default("127.0.0.1"),
  BRON_PUBLIC_URL: address.optional(),
  BRON_BEHIND_PROXY: yesOrNo.default("false"),
  FIREBASE_PROJECT_ID: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]{3,62}$/,
      "must be the id of a Firebase project, such as my-project-1a2b.",
    )
    .optional(),
  FIREBASE_KEYS_URL: address.optional(),
  FIREBASE_COOKIE: z
    .string()
    .regex(/^\w{1,64}$/, "must be the name of a cookie.")
    .optional(),
  FIREBASE_MAX_SESSION_DAYS: number(
    "a number of days above 0, at most 14",
    (value) => value > 0 && value <= 14,
  ).optional(),
  AGENT_MAX_LOOP_STEPS: number("a whole number (1 to 15 are used)", Number.isInteger).default(8),
  BRON_SECRET_KEY: z
    .string()
    .refine(
      (value) => Buffer.byteLength(value) >= minSecretBytes,
      `must have ${minSecretBytes} bytes or more.`,
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
    .regex(/^xox[bp]-\S+$/, "must be a token of a Slack app, which begins with xoxb-.")
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
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of a bucket.")
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

/** Every variable that is read, for whoever describes them. */
export const variableNames: readonly string[] = Object.keys(variables.shape);

const s3Names = ["S3_ENDPOINT", "S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;

/** What must go together. */
function pairProblems(given: Readonly<Record<string, unknown>>): ConfigProblem[] {
  const missing = s3Names.filter((name) => given[name] === undefined);
  const host = typeof given["HOST"] === "string" ? given["HOST"] : "";
  return [
    ...appProblems(given),
    ...(missing.length === 0 || missing.length === s3Names.length
      ? []
      : missing.map((variable) => ({
          variable,
          message: `${variable} must be set too: bytes go to S3 only if all of ${s3Names.join(", ")} are there.`,
        }))),
    ...(host === "" || loopback.test(host) || given["BRON_PUBLIC_URL"] !== undefined
      ? []
      : [
          {
            variable: "HOST",
            message: `HOST must be a loopback address (127.0.0.1, ::1 or localhost), not "${host}": for others to reach it, set BRON_PUBLIC_URL to the address that they use.`,
          },
        ]),
  ];
}

/** One without the other is a mistake, not a wish for the simulation. */
function appProblems(given: Readonly<Record<string, unknown>>): ConfigProblem[] {
  return (["GOOGLE", "SLACK"] as const).flatMap((name) => {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`];
    if ((given[id] === undefined) === (given[secret] === undefined)) return [];
    const variable = given[id] === undefined ? id : secret;
    return [
      {
        variable,
        message: `${variable} must be set too: an app at ${name === "GOOGLE" ? "Google" : "Slack"} has both.`,
      },
    ];
  });
}

type Variables = z.infer<typeof variables>;

function toConfig(given: Variables): Config {
  return compact({
    home: homePath(given.BRON_HOME),
    databaseUrl: given.DATABASE_URL,
    secretKey: given.BRON_SECRET_KEY,
    host: given.HOST.replace(/^\[|\]$/g, "").toLowerCase(),
    port: given.PORT,
    model: compact({
      model: given.BRON_MODEL,
      geminiApiKey: given.GEMINI_API_KEY,
      geminiBaseUrl: given.GEMINI_BASE_URL,
      anthropicApiKey: given.ANTHROPIC_API_KEY,
      anthropicBaseUrl: given.ANTHROPIC_BASE_URL,
      openaiApiKey: given.OPENAI_API_KEY,
      openaiBaseUrl: given.OPENAI_BASE_URL,
    }),
    google:
      given.GOOGLE_CLIENT_ID !== undefined && given.GOOGLE_CLIENT_SECRET !== undefined
        ? { clientId: given.GOOGLE_CLIENT_ID, clientSecret: given.GOOGLE_CLIENT_SECRET }
        : undefined,
    slack: toSlack(given),
    sideEffects: isYes(given.AGENT_SIDE_EFFECTS_ENABLED),
    undoMs: Math.round(given.BRON_UNDO_SECONDS * 1_000),
    caps: toCaps(given),
    limits: compact({
      perWorker: given.BRON_LIMIT_RUNS_PER_WORKER,
      perOwner: given.BRON_LIMIT_RUNS_PER_USER,
      inAll: given.BRON_LIMIT_RUNS_IN_ALL,
    }),
    uploadQuota: compact({
      ownerBytes: megabytes(given.BRON_LIMIT_UPLOAD_MB),
      allBytes: megabytes(given.BRON_LIMIT_UPLOAD_MB_IN_ALL),
    }),
    server: toServerSettings(given),
    s3: toS3(given),
    traces:
      given.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? undefined
        : {
            endpoint: given.OTEL_EXPORTER_OTLP_ENDPOINT,
            withContent: isYes(given.BRON_TRACE_CONTENT),
          },
    logLevel: given.LOG_LEVEL,
    logFormat: given.LOG_FORMAT,
    workerPort: given.BRON_WORKER_PORT,
  });
}

function toServerSettings(given: Variables): ServerSettings {
  const { createRun, approve, refusedDecision, upload, connect, callback } = defaultRates;
  const connects = given.BRON_LIMIT_CONNECTS;
  return compact({
    publicUrl: given.BRON_PUBLIC_URL === undefined ? undefined : new URL(given.BRON_PUBLIC_URL),
    behindProxy: isYes(given.BRON_BEHIND_PROXY),
    firebase:
      given.FIREBASE_PROJECT_ID === undefined
        ? undefined
        : compact({
            projectId: given.FIREBASE_PROJECT_ID,
            keysUrl: given.FIREBASE_KEYS_URL,
            cookieName: given.FIREBASE_COOKIE,
            maxAgeMs:
              given.FIREBASE_MAX_SESSION_DAYS === undefined
                ? undefined
                : given.FIREBASE_MAX_SESSION_DAYS * 86_400_000,
          }),
    rates: {
      createRun: {
        perUser: given.BRON_LIMIT_RUN_CREATES_PER_USER ?? createRun.perUser,
        perAddress: given.BRON_LIMIT_RUN_CREATES_PER_ADDRESS ?? createRun.perAddress,
      },
      approve: { ...approve, perUser: given.BRON_LIMIT_APPROVALS ?? approve.perUser },
      refusedDecision: {
        ...refusedDecision,
        perUser: given.BRON_LIMIT_REFUSED_DECISIONS ?? refusedDecision.perUser,
      },
      upload: { ...upload, perUser: given.BRON_LIMIT_UPLOADS ?? upload.perUser },
      connect: { ...connect, perUser: connects ?? connect.perUser },
      callback: { ...callback, perAddress: connects ?? callback.perAddress },
    },
    maxStreams: given.BRON_LIMIT_STREAMS,
    // Clamped and not refused, as the runtime's contract says.
    maxAgentSteps: Math.min(15, Math.max(1, given.AGENT_MAX_LOOP_STEPS)),
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

/** A token says more than an app: it is used if both are there. */
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

function toCaps(given: Variables): Partial<Caps> {
  const scaled = (value: number | undefined, factor: number) =>
    value === undefined ? undefined : Math.max(1, Math.round(value * factor));
  const groups = compact({ gmail: given.BRON_CAP_GMAIL_CALLS, web: given.BRON_CAP_WEB_CALLS });
  return compact({
    activeMs: scaled(given.BRON_CAP_MINUTES, 60_000),
    modelTurns: given.BRON_CAP_MODEL_TURNS,
    toolCalls: given.BRON_CAP_TOOL_CALLS,
    // Caps merge field by field, and the groups are one field.
    toolCallsByGroup:
      Object.keys(groups).length === 0 ? undefined : { ...defaultCaps.toolCallsByGroup, ...groups },
    children: given.BRON_CAP_CHILDREN,
    attachmentBytes: scaled(given.BRON_CAP_ATTACHMENT_MB, 1024 * 1024),
    tailMessages: given.BRON_CAP_TAIL_MESSAGES,
    costMicrousd:
      given.BRON_CAP_DOLLARS === undefined ? undefined : microusd(given.BRON_CAP_DOLLARS),
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

/** Without the members that are undefined. */
function compact<T extends object>(value: T): Compact<T> {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as Compact<T>;
}
