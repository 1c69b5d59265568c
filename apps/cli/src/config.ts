import { BronError } from "@bron/core";
import type { LocalPorts, ModelSettings } from "@bron/models";
import { defaultCaps, defaultRates, omitUndefined, type Caps } from "@bron/protocol";
import type { ServerOptions } from "@bron/server";
import type { PostgresRuntimeOptions } from "@bron/runtime";
import {
  isYes,
  variables,
  type logFormats,
  type logLevels,
  type Variables,
} from "./environment-variables.ts";
import { homePath } from "./home-path.ts";
import { pairProblems, type ConfigProblem } from "./variable-pairs.ts";

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
  /** The owner's OAuth client at Google. */
  readonly google?: { readonly clientId: string; readonly clientSecret: string };
  /** A bot token of the workspace's own app, or an app that people sign in to. */
  readonly slack?:
    | { readonly botToken: string }
    | { readonly app: { readonly clientId: string; readonly clientSecret: string } };
  /** Whether accounts are simulated while there is no OAuth client. By default in demo mode. */
  readonly sandbox?: boolean;
  /** The ports of model servers on this machine. By default their usual ports. */
  readonly localModels?: LocalPorts;
  /** False forbids every effect, even a draft. */
  readonly sideEffects: boolean;
  /** Addresses and domains. */
  readonly onlyRecipients?: readonly string[];
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
  /** The API token of `bron mcp serve`. */
  readonly token?: string;
}

type ServerSettings = Pick<
  ServerOptions,
  "publicUrl" | "behindProxy" | "firebase" | "rates" | "maxStreams" | "maxAgentSteps"
>;

type S3Settings = NonNullable<PostgresRuntimeOptions["s3"]>;

export type Environment = Readonly<Record<string, string | undefined>>;

/** Throws config_invalid with every invalid variable and what its value must be. */
export function loadConfig(env: Environment): Config {
  const { config, problems } = readConfig(env);
  rejectProblems(problems);
  return config;
}

/** Throws config_invalid if there is a problem. */
export function rejectProblems(problems: readonly ConfigProblem[]): void {
  if (problems.length === 0) return;
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
export function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

function toConfig(values: Variables): Config {
  return omitUndefined({
    home: homePath(values.BRON_HOME),
    databaseUrl: values.DATABASE_URL,
    secretKey: values.BRON_SECRET_KEY,
    host: values.HOST.replace(/^\[|\]$/g, "").toLowerCase(),
    port: values.PORT,
    model: omitUndefined({
      model: values.BRON_MODEL,
      lightModel: values.BRON_LIGHT_MODEL,
      lastResortModel: values.BRON_LAST_RESORT_MODEL,
      otherModels: values.BRON_OTHER_MODELS,
      modelDetails: values.BRON_MODEL_DETAILS,
      geminiApiKey: values.GEMINI_API_KEY,
      geminiBaseUrl: values.GEMINI_BASE_URL,
      googleCredentialsFile: values.GOOGLE_APPLICATION_CREDENTIALS,
      vertexProject: values.GOOGLE_CLOUD_PROJECT,
      vertexLocation: values.GOOGLE_CLOUD_LOCATION,
      vertexBaseUrl: values.VERTEX_BASE_URL,
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
    localModels: values.BRON_LOCAL_MODELS,
    sandbox: values.BRON_SANDBOX === undefined ? undefined : isYes(values.BRON_SANDBOX),
    sideEffects: isYes(values.AGENT_SIDE_EFFECTS_ENABLED),
    onlyRecipients: values.BRON_ONLY_RECIPIENTS,
    undoMs: Math.round(values.BRON_UNDO_SECONDS * 1_000),
    caps: toCaps(values),
    limits: omitUndefined({
      perWorker: values.BRON_LIMIT_RUNS_PER_WORKER,
      perOwner: values.BRON_LIMIT_RUNS_PER_USER,
      inAll: values.BRON_LIMIT_RUNS_IN_ALL,
    }),
    uploadQuota: omitUndefined({
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
    token: values.BRON_TOKEN,
  });
}

function toServerSettings(values: Variables): ServerSettings {
  const { createRun, approve, refusedDecision, upload, connect, callback } = defaultRates;
  const connects = values.BRON_LIMIT_CONNECTS;
  return omitUndefined({
    publicUrl: values.BRON_PUBLIC_URL === undefined ? undefined : new URL(values.BRON_PUBLIC_URL),
    behindProxy: isYes(values.BRON_BEHIND_PROXY),
    firebase:
      values.FIREBASE_PROJECT_ID === undefined
        ? undefined
        : omitUndefined({
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
  const groups = omitUndefined({
    gmail: values.BRON_CAP_GMAIL_CALLS,
    web: values.BRON_CAP_WEB_CALLS,
  });
  return omitUndefined({
    activeMs: scaled(values.BRON_CAP_MINUTES, 60_000),
    modelTurns: values.BRON_CAP_MODEL_TURNS,
    toolCalls: values.BRON_CAP_TOOL_CALLS,
    // Caps are merged field by field, and all groups together are one field.
    toolCallsByGroup:
      Object.keys(groups).length === 0 ? undefined : { ...defaultCaps.toolCallsByGroup, ...groups },
    children: values.BRON_CAP_CHILDREN,
    depth: values.BRON_CAP_DEPTH,
    attachmentBytes: scaled(values.BRON_CAP_ATTACHMENT_MB, 1024 * 1024),
    tailMessages: values.BRON_CAP_TAIL_MESSAGES,
    contextTokens: values.BRON_CAP_CONTEXT_TOKENS,
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
