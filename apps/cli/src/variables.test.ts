import { readFileSync } from "node:fs";
import { defaultCaps, defaultMaxStreams, defaultRates, defaultUploadQuota } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { loadConfig } from "./config.ts";
import { variableNames } from "./environment-variables.ts";

const rows = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, name, initially] = /^\| `(\w+)` \| (.*?) \| .*\|$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, initially }];
  });

describe("docs/configuration.md", () => {
  it("lists every variable exactly once, and no other", () => {
    expect(rows.map(({ name }) => name).toSorted()).toEqual(variableNames.toSorted());
  });

  it("states the actual defaults", () => {
    const { port, host, sideEffects, undoMs, logLevel, logFormat, server } = loadConfig({});
    const initially = {
      PORT: port,
      HOST: host,
      AGENT_SIDE_EFFECTS_ENABLED: sideEffects,
      BRON_UNDO_SECONDS: undoMs / 1_000,
      BRON_BEHIND_PROXY: server.behindProxy,
      AGENT_MAX_LOOP_STEPS: server.maxAgentSteps,
      LOG_LEVEL: logLevel,
      LOG_FORMAT: logFormat,
      BRON_CAP_MINUTES: defaultCaps.activeMs / 60_000,
      BRON_CAP_MODEL_TURNS: defaultCaps.modelTurns,
      BRON_CAP_TOOL_CALLS: defaultCaps.toolCalls,
      BRON_CAP_GMAIL_CALLS: defaultCaps.toolCallsByGroup["gmail"],
      BRON_CAP_WEB_CALLS: defaultCaps.toolCallsByGroup["web"],
      BRON_CAP_CHILDREN: defaultCaps.children,
      BRON_CAP_DEPTH: defaultCaps.depth,
      BRON_CAP_ATTACHMENT_MB: defaultCaps.attachmentBytes / 1024 ** 2,
      BRON_CAP_TAIL_MESSAGES: defaultCaps.tailMessages,
      BRON_CAP_CONTEXT_TOKENS: defaultCaps.contextTokens,
      BRON_LIMIT_RUN_CREATES_PER_USER: defaultRates.createRun.perUser,
      BRON_LIMIT_RUN_CREATES_PER_ADDRESS: defaultRates.createRun.perAddress,
      BRON_LIMIT_APPROVALS: defaultRates.approve.perUser,
      BRON_LIMIT_REFUSED_DECISIONS: defaultRates.refusedDecision.perUser,
      BRON_LIMIT_UPLOADS: defaultRates.upload.perUser,
      BRON_LIMIT_UPLOAD_MB: defaultUploadQuota.ownerBytes / 1024 ** 2,
      BRON_LIMIT_UPLOAD_MB_IN_ALL: defaultUploadQuota.allBytes / 1024 ** 2,
      BRON_LIMIT_CONNECTS: defaultRates.connect.perUser,
      BRON_LIMIT_STREAMS: defaultMaxStreams,
    };
    for (const [name, value] of Object.entries(initially))
      expect(rows.find((row) => row.name === name)?.initially, name).toBe(String(value));
  });
});
