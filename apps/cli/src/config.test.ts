import { BronError } from "@bron/core";
import { defaultRates } from "@bron/protocol";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig, readConfig, type Environment } from "./config.ts";

function problemOf(env: Environment): string {
  try {
    loadConfig(env);
  } catch (error) {
    if (BronError.is(error, "config_invalid")) return error.message;
    throw error;
  }
  throw new Error("It was accepted");
}

describe("loadConfig", () => {
  test("has a default for everything", () => {
    expect(loadConfig({})).toEqual({
      home: join(homedir(), ".bron"),
      host: "127.0.0.1",
      port: 4310,
      model: {},
      sideEffects: true,
      undoMs: 5_000,
      caps: {},
      limits: {},
      uploadQuota: {},
      server: { behindProxy: false, maxAgentSteps: 8, rates: defaultRates },
      logLevel: "info",
      logFormat: "pretty",
    });
  });

  test("treats an empty or blank variable as not set", () => {
    expect(
      loadConfig({ PORT: "", HOST: "  ", GEMINI_API_KEY: "", BRON_CAP_DOLLARS: "", LOG_LEVEL: "" }),
    ).toEqual(loadConfig({}));
  });

  test("translates every variable", () => {
    const secretKey = "k".repeat(32);
    const config = loadConfig({
      BRON_HOME: "/data/bron",
      DATABASE_URL: "postgres://u:p@db/bron",
      PORT: "0",
      HOST: "[::1]",
      BRON_SECRET_KEY: secretKey,
      BRON_MODEL: "demo",
      GEMINI_API_KEY: "g",
      GEMINI_BASE_URL: "http://g",
      ANTHROPIC_API_KEY: "a",
      ANTHROPIC_BASE_URL: "http://a",
      OPENAI_API_KEY: "o",
      OPENAI_BASE_URL: "http://o",
      BRON_UNDO_SECONDS: "7.5",
      BRON_CAP_MINUTES: "0.5",
      BRON_CAP_MODEL_TURNS: "7",
      BRON_CAP_TOOL_CALLS: "8",
      BRON_CAP_GMAIL_CALLS: "0",
      BRON_CAP_CHILDREN: "1",
      BRON_CAP_ATTACHMENT_MB: "2",
      BRON_CAP_TAIL_MESSAGES: "4",
      BRON_CAP_CONTEXT_TOKENS: "5000",
      BRON_CAP_DOLLARS: "0.25",
      BRON_LIMIT_RUNS_PER_WORKER: "3",
      BRON_LIMIT_RUNS_PER_USER: "4",
      BRON_LIMIT_RUNS_IN_ALL: "5",
      LOG_LEVEL: "debug",
      LOG_FORMAT: "json",
      BRON_WORKER_PORT: "4311",
    });
    expect(config).toEqual({
      home: "/data/bron",
      databaseUrl: "postgres://u:p@db/bron",
      secretKey,
      host: "::1",
      port: 0,
      model: {
        model: "demo",
        geminiApiKey: "g",
        geminiBaseUrl: "http://g",
        anthropicApiKey: "a",
        anthropicBaseUrl: "http://a",
        openaiApiKey: "o",
        openaiBaseUrl: "http://o",
      },
      sideEffects: true,
      undoMs: 7_500,
      caps: {
        activeMs: 30_000,
        modelTurns: 7,
        toolCalls: 8,
        toolCallsByGroup: { gmail: 0, web: 10 },
        children: 1,
        attachmentBytes: 2 * 1024 * 1024,
        tailMessages: 4,
        contextTokens: 5_000,
        costMicrousd: 250_000,
      },
      limits: { perWorker: 3, perOwner: 4, inAll: 5 },
      uploadQuota: {},
      server: { behindProxy: false, maxAgentSteps: 8, rates: defaultRates },
      logLevel: "debug",
      logFormat: "json",
      workerPort: 4311,
    });
  });

  test("BR10 RT2 reads the public address, the sign-in and the rate limits of a server", () => {
    const { server, s3, traces, uploadQuota } = loadConfig({
      HOST: "0.0.0.0",
      BRON_PUBLIC_URL: "https://bron.example/",
      BRON_BEHIND_PROXY: "1",
      FIREBASE_PROJECT_ID: "my-project",
      FIREBASE_KEYS_URL: "http://127.0.0.1:1/keys",
      FIREBASE_COOKIE: "__session",
      FIREBASE_MAX_SESSION_DAYS: "0.5",
      BRON_LIMIT_RUN_CREATES_PER_USER: "1",
      BRON_LIMIT_RUN_CREATES_PER_ADDRESS: "2",
      BRON_LIMIT_APPROVALS: "3",
      BRON_LIMIT_REFUSED_DECISIONS: "5",
      BRON_LIMIT_UPLOADS: "6",
      BRON_LIMIT_UPLOAD_MB: "7",
      BRON_LIMIT_UPLOAD_MB_IN_ALL: "0",
      BRON_LIMIT_CONNECTS: "4",
      BRON_LIMIT_STREAMS: "0",
      S3_ENDPOINT: "http://127.0.0.1:9000",
      S3_BUCKET: "bron",
      S3_ACCESS_KEY_ID: "id",
      S3_SECRET_ACCESS_KEY: "key",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
      BRON_TRACE_CONTENT: "true",
    });
    expect(server).toEqual({
      publicUrl: new URL("https://bron.example/"),
      behindProxy: true,
      firebase: {
        projectId: "my-project",
        keysUrl: "http://127.0.0.1:1/keys",
        cookieName: "__session",
        maxAgeMs: 43_200_000,
      },
      rates: {
        createRun: { perUser: 1, perAddress: 2 },
        approve: { perUser: 3, perAddress: 0 },
        refusedDecision: { perUser: 5, perAddress: 0 },
        upload: { perUser: 6, perAddress: 0 },
        connect: { perUser: 4, perAddress: 0 },
        callback: { perUser: 0, perAddress: 4 },
      },
      maxStreams: 0,
      maxAgentSteps: 8,
    });
    expect(uploadQuota).toEqual({ ownerBytes: 7 * 1024 ** 2, allBytes: 0 });
    expect(s3).toEqual({
      endpoint: "http://127.0.0.1:9000",
      bucket: "bron",
      region: "us-east-1",
      accessKeyId: "id",
      secretAccessKey: "key",
    });
    expect(traces).toEqual({ endpoint: "http://127.0.0.1:4318", withContent: true });
  });

  test.each([
    ["false", false],
    ["0", false],
    ["true", true],
    ["1", true],
  ])("RT11 reads AGENT_SIDE_EFFECTS_ENABLED=%s", (value, sideEffects) => {
    expect(loadConfig({ AGENT_SIDE_EFFECTS_ENABLED: value }).sideEffects).toBe(sideEffects);
  });

  test.each([
    ["0", 1],
    ["1", 1],
    ["9", 9],
    ["15", 15],
    ["99", 15],
  ])("RT8 clamps AGENT_MAX_LOOP_STEPS=%s to %i", (value, steps) => {
    expect(loadConfig({ AGENT_MAX_LOOP_STEPS: value }).server.maxAgentSteps).toBe(steps);
  });

  test("requires all variables of a group", () => {
    expect(problemOf({ S3_BUCKET: "bron", S3_ENDPOINT: "http://127.0.0.1:9000" })).toMatch(
      /^S3_ACCESS_KEY_ID must be set too[^\n]+\nS3_SECRET_ACCESS_KEY must be set too/,
    );
  });

  test.each([
    ["PORT", "http"],
    ["PORT", "70000"],
    ["PORT", "-1"],
    ["PORT", "80.5"],
    ["HOST", "0.0.0.0"],
    ["HOST", "example.com"],
    ["DATABASE_URL", "mysql://u:p@h/d"],
    ["BRON_SECRET_KEY", "short"],
    ["BRON_UNDO_SECONDS", "61"],
    ["BRON_UNDO_SECONDS", "soon"],
    ["BRON_CAP_MINUTES", "0"],
    ["BRON_CAP_MODEL_TURNS", "0"],
    ["BRON_CAP_TOOL_CALLS", "many"],
    ["BRON_CAP_GMAIL_CALLS", "1.5"],
    ["BRON_CAP_WEB_CALLS", "-2"],
    ["BRON_CAP_CHILDREN", "x"],
    ["BRON_CAP_ATTACHMENT_MB", "0"],
    ["BRON_CAP_TAIL_MESSAGES", "x"],
    ["BRON_CAP_DOLLARS", "$1"],
    ["BRON_LIMIT_RUNS_PER_WORKER", "0"],
    ["BRON_LIMIT_RUNS_PER_USER", "0"],
    ["BRON_LIMIT_RUNS_IN_ALL", "0"],
    ["LOG_LEVEL", "loud"],
    ["BRON_PUBLIC_URL", "bron.example"],
    ["BRON_BEHIND_PROXY", "maybe"],
    ["FIREBASE_PROJECT_ID", "My Project"],
    ["FIREBASE_MAX_SESSION_DAYS", "15"],
    ["AGENT_MAX_LOOP_STEPS", "many"],
    ["BRON_LIMIT_STREAMS", "-1"],
    ["S3_ENDPOINT", "ftp://x"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "here"],
  ])("rejects %s when it is %s, and says what it must be", (name, value) => {
    expect(problemOf({ [name]: value })).toMatch(new RegExp(`^${name} must (?:be|have) `));
  });

  test("reports every invalid variable at once", () => {
    expect(problemOf({ PORT: "x", LOG_LEVEL: "y" }).split("\n")).toHaveLength(2);
  });

  test.each(["DATABASE_URL", "BRON_SECRET_KEY"])("does not repeat the secret in %s", (name) => {
    expect(problemOf({ [name]: "hunter2" })).not.toContain("hunter2");
  });

  test("expands a ~ from an env file", () => {
    expect(loadConfig({ BRON_HOME: "~/bron" }).home).toBe(join(homedir(), "bron"));
  });
});

test("readConfig ignores the invalid variables", () => {
  const { config, problems } = readConfig({ PORT: "x", BRON_MODEL: "demo" });
  expect(problems.map(({ variable }) => variable)).toEqual(["PORT"]);
  expect(config).toMatchObject({ port: 4310, model: { model: "demo" } });
});
