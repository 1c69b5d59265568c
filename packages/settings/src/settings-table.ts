import { omitUndefined } from "@bron/protocol";
import { z } from "zod";

/** One setting. Its value replaces the environment variable where that is not set. */
export interface Setting {
  /** The path in the file, such as `log.level`. */
  readonly key: string;
  readonly variable: string;
  /** Whether a trusted folder may set it too. All others belong to BRON_HOME. */
  readonly inFolder: boolean;
  readonly description: string;
  readonly default?: boolean | number | string;
  readonly schema: z.ZodType<boolean | number | string>;
}

const maxCount = 1_000_000;

function integer(min: number, max: number) {
  const words = `must be a whole number from ${min} to ${max}`;
  return z.number(words).int(words).min(min, words).max(max, words);
}

function numberAbove(min: number, max: number) {
  const words = `must be a number above ${min}, at most ${max}`;
  return z.number(words).gt(min, words).max(max, words);
}

function numberFrom(min: number, max: number) {
  const words = `must be a number from ${min} to ${max}`;
  return z.number(words).min(min, words).max(max, words);
}

function oneOf<const Words extends readonly string[]>(words: Words) {
  return z.enum(words, `must be one of ${words.join(", ")}`);
}

const yesOrNo = z.boolean("must be true or false");
const addressWords = "must be a URL that starts with http:// or https://";
const address = z.string(addressWords).regex(/^https?:\/\/[^\s/?#]\S*$/, addressWords);
const count = integer(0, maxCount);
const atLeastOne = integer(1, maxCount);
const port = integer(0, 65_535);
const modelWords = "must be gemini/<id>, vertex/<id>, anthropic/<id>, openai/<id> or demo";
const modelName = z.string(modelWords).regex(/^\S+$/, modelWords);
const modelsWords = "must be names of models, separated by commas";
const detailsWords = "must be entries such as openai/my-model price=2.5/10 window=128000";
const projectWords = "must be the ID of a Google Cloud project";
const projectId = z.string(projectWords).regex(/^[\w.:-]+$/, projectWords);
const regionWords = "must be a region such as europe-west4, or global";
const region = z.string(regionWords).regex(/^[a-z0-9-]+$/, regionWords);
const recipientsWords = "must be email addresses and domains, separated by commas";
const recipientList =
  /^\s*(?:[^@\s,]*@)?[^@\s,]+\.[^@\s,.]+(?:\s*,\s*(?:[^@\s,]*@)?[^@\s,]+\.[^@\s,.]+)*\s*$/;
const hostWords = "must be an IP address or host name to listen on";

type Row = readonly [
  key: string,
  variable: string,
  schema: Setting["schema"],
  initial: Setting["default"],
  description: string,
];

/**
 * What a trusted folder may set. Addresses are missing on purpose: a folder that chooses the
 * server of a model receives the owner's key. So is what protects the owner, such as undo.
 */
const ofFolders: readonly Row[] = [
  ["model", "BRON_MODEL", modelName, undefined, "Model."],
  [
    "lightModel",
    "BRON_LIGHT_MODEL",
    modelName,
    undefined,
    "Model for auxiliary calls. The default is the model.",
  ],
  [
    "lastResortModel",
    "BRON_LAST_RESORT_MODEL",
    modelName,
    undefined,
    "Model that is used while another one is unavailable.",
  ],
  [
    "otherModels",
    "BRON_OTHER_MODELS",
    z.string(modelsWords).regex(/^\S+(\s*,\s*\S+)*$/, modelsWords),
    undefined,
    "More models that tasks and Brons can choose, separated by commas.",
  ],
  ["log.level", "LOG_LEVEL", oneOf(["error", "warn", "info", "debug"]), "info", "Log level."],
  ["log.format", "LOG_FORMAT", oneOf(["pretty", "json"]), "pretty", "Format of standard error."],
  ["caps.minutes", "BRON_CAP_MINUTES", numberAbove(0, 10_080), 8, "Minutes of active time."],
  ["caps.modelTurns", "BRON_CAP_MODEL_TURNS", atLeastOne, 20, "Model calls of a run."],
  ["caps.toolCalls", "BRON_CAP_TOOL_CALLS", atLeastOne, 40, "Tool calls of a run."],
  ["caps.gmailCalls", "BRON_CAP_GMAIL_CALLS", count, 25, "Calls of Gmail tools."],
  ["caps.webCalls", "BRON_CAP_WEB_CALLS", count, 10, "Calls of web tools."],
  ["caps.children", "BRON_CAP_CHILDREN", count, 3, "Child runs."],
  ["caps.depth", "BRON_CAP_DEPTH", count, 2, "Levels of child runs below a run."],
  [
    "caps.attachmentMb",
    "BRON_CAP_ATTACHMENT_MB",
    numberAbove(0, 1_024),
    20,
    "Megabytes of one file.",
  ],
  [
    "caps.tailMessages",
    "BRON_CAP_TAIL_MESSAGES",
    count,
    30,
    "Earlier messages that the model sees.",
  ],
  [
    "caps.contextTokens",
    "BRON_CAP_CONTEXT_TOKENS",
    atLeastOne,
    10_000,
    "Tokens of all that comes before the task.",
  ],
  [
    "caps.dollars",
    "BRON_CAP_DOLLARS",
    numberFrom(0, 1_000_000),
    undefined,
    "US dollars of a run and its child runs together.",
  ],
  [
    "caps.agentSteps",
    "AGENT_MAX_LOOP_STEPS",
    integer(1, 15),
    8,
    "Model calls of a run that POST /api/agent/run starts, and of its child runs.",
  ],
];

const ofHome: readonly Row[] = [
  [
    "modelDetails",
    "BRON_MODEL_DETAILS",
    z.string(detailsWords).min(1, detailsWords),
    undefined,
    "Prices and context windows of models, in place of Bron's own.",
  ],
  [
    "sandbox",
    "BRON_SANDBOX",
    yesOrNo,
    undefined,
    "Simulated email, calendar and Slack. The default is true in demo mode, and false otherwise.",
  ],
  ["sideEffects", "AGENT_SIDE_EFFECTS_ENABLED", yesOrNo, true, "False forbids changes outside."],
  [
    "onlyRecipients",
    "BRON_ONLY_RECIPIENTS",
    z.string(recipientsWords).regex(recipientList, recipientsWords),
    undefined,
    "Addresses and domains. No one else gets an email or an invitation, whatever is approved.",
  ],
  [
    "undoSeconds",
    "BRON_UNDO_SECONDS",
    numberFrom(0, 60),
    5,
    "How long an approval can be undone before it takes effect.",
  ],
  ["vertex.project", "GOOGLE_CLOUD_PROJECT", projectId, undefined, "Google Cloud project."],
  ["vertex.location", "GOOGLE_CLOUD_LOCATION", region, "global", "Region of Vertex AI."],
  ["vertex.baseUrl", "VERTEX_BASE_URL", address, undefined, "A server that speaks Vertex AI."],
  ["gemini.baseUrl", "GEMINI_BASE_URL", address, undefined, "A server that speaks Gemini."],
  [
    "anthropic.baseUrl",
    "ANTHROPIC_BASE_URL",
    address,
    undefined,
    "A server that speaks Anthropic's protocol.",
  ],
  [
    "openai.baseUrl",
    "OPENAI_BASE_URL",
    address,
    undefined,
    "A server that speaks OpenAI's protocol.",
  ],
  [
    "server.host",
    "HOST",
    z.string(hostWords).regex(/^[\w.:[\]-]+$/, hostWords),
    "127.0.0.1",
    "Address that the server listens on.",
  ],
  ["server.port", "PORT", port, 4310, "Port of the server. 0 chooses a free one."],
  ["server.publicUrl", "BRON_PUBLIC_URL", address, undefined, "Address that browsers use."],
  ["server.behindProxy", "BRON_BEHIND_PROXY", yesOrNo, false, "Your own proxy is in front."],
  ["server.workerPort", "BRON_WORKER_PORT", port, undefined, "Port of bron worker."],
  ["limits.runsPerWorker", "BRON_LIMIT_RUNS_PER_WORKER", atLeastOne, 50, "Runs in one process."],
  ["limits.runsPerUser", "BRON_LIMIT_RUNS_PER_USER", atLeastOne, 50, "Runs of one owner."],
  ["limits.runsInAll", "BRON_LIMIT_RUNS_IN_ALL", atLeastOne, 1000, "Runs on the database."],
  [
    "limits.runCreatesPerUser",
    "BRON_LIMIT_RUN_CREATES_PER_USER",
    count,
    30,
    "New runs of one owner in a minute.",
  ],
  [
    "limits.runCreatesPerAddress",
    "BRON_LIMIT_RUN_CREATES_PER_ADDRESS",
    count,
    60,
    "New runs from one address in a minute.",
  ],
  ["limits.approvals", "BRON_LIMIT_APPROVALS", count, 60, "Approvals decided in a minute."],
  [
    "limits.refusedDecisions",
    "BRON_LIMIT_REFUSED_DECISIONS",
    count,
    60,
    "Refused decisions in a minute.",
  ],
  ["limits.uploads", "BRON_LIMIT_UPLOADS", count, 60, "Files announced in a minute."],
  ["limits.uploadMb", "BRON_LIMIT_UPLOAD_MB", count, 200, "Megabytes of unattached files."],
  [
    "limits.uploadMbInAll",
    "BRON_LIMIT_UPLOAD_MB_IN_ALL",
    count,
    2000,
    "Megabytes of unattached files of all owners.",
  ],
  ["limits.connects", "BRON_LIMIT_CONNECTS", count, 5, "Sign-ins at providers in a minute."],
  ["limits.streams", "BRON_LIMIT_STREAMS", count, 30, "Open event streams of one owner."],
  [
    "traces.endpoint",
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    address,
    undefined,
    "A collector for traces, over OTLP/HTTP.",
  ],
  ["traces.content", "BRON_TRACE_CONTENT", yesOrNo, false, "Traces include prompts and results."],
];

const toSetting =
  (inFolder: boolean) =>
  ([key, variable, schema, initial, description]: Row): Setting => ({
    key,
    variable,
    inFolder,
    description: inFolder ? description : `${description} Only in BRON_HOME.`,
    schema,
    ...omitUndefined({ default: initial }),
  });

/** Every setting. Secrets are missing on purpose: they belong to the environment. */
export const settingsTable: readonly Setting[] = [
  ...ofFolders.map(toSetting(true)),
  ...ofHome.map(toSetting(false)),
];

export const settingByKey: ReadonlyMap<string, Setting> = new Map(
  settingsTable.map((setting) => [setting.key, setting]),
);

/** Objects that contain settings, such as `log`. */
export const settingGroups: ReadonlySet<string> = new Set(
  settingsTable.flatMap(({ key }) => (key.includes(".") ? [key.slice(0, key.indexOf("."))] : [])),
);
