import { BronError } from "@bron/core";
import { describe, expect, it } from "vitest";
import { createFakeTerminal } from "../fake-terminal.fixture.ts";
import { createJsonLog } from "./json-log.ts";

const mail = "Dear Jonas, the price is 7,026.00";

function logLines(
  level: "info" | "debug",
  use: (log: ReturnType<typeof createJsonLog>) => void,
): Record<string, unknown>[] {
  const terminal = createFakeTerminal();
  use(createJsonLog(terminal, level));
  return terminal
    .written("err")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe("the log in JSON", () => {
  it("BR23 removes the message of a library error, wherever it appears", () => {
    const error = Object.assign(new TypeError(`invalid input: ${mail}`), {
      code: "22P02",
      detail: mail,
    });
    const lines = logLines("debug", (log) =>
      log.problem(`A segment of run 1 failed: ${error.message}`, error),
    );
    expect(JSON.stringify(lines)).not.toContain("7,026");
    expect(lines).toMatchObject([
      {
        level: "warn",
        msg: "A segment of run 1 failed: …",
        error: {
          type: "TypeError",
          code: "22P02",
          stack: expect.arrayContaining([expect.stringMatching(/^at /)]),
        },
      },
    ]);
  });

  it("logs the messages of coded errors and of system errors", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:5432"), {
      code: "ECONNREFUSED",
      syscall: "connect",
    });
    const lines = logLines("info", (log) => {
      log.problem(
        "The sweep failed: The database is not responding",
        new BronError("database_unreachable", "The database is not responding"),
      );
      log.problem("The feed is away", refused);
    });
    expect(lines).toMatchObject([
      {
        msg: "The sweep failed: The database is not responding",
        error: { code: "database_unreachable", message: "The database is not responding" },
      },
      { error: { code: "ECONNREFUSED", message: "connect ECONNREFUSED 10.0.0.1:5432" } },
    ]);
    expect(lines[0]?.["error"]).not.toHaveProperty("stack");
  });

  it("logs probes and single calls only at the level debug", () => {
    const use = (log: ReturnType<typeof createJsonLog>) => {
      const entry = { requestId: "r", method: "GET", ms: 1, isStream: false };
      log.request({ ...entry, route: "/readyz", status: 200 });
      log.request({ ...entry, route: "/readyz", status: 503 });
      log.request({ ...entry, route: "/api/runs", status: 200 });
      log.runtimeEvent({
        what: "tool_ended",
        runId: "1",
        ownerId: "local",
        tool: "clock",
        outcome: "completed",
        actionId: "2",
      });
      log.runtimeEvent({
        what: "run_ended",
        runId: "1",
        ownerId: "local",
        status: "failed",
        outcome: "could_not",
        code: "cap_time",
        ms: 7,
      });
    };
    expect(logLines("info", use).map(({ level, msg, status }) => [level, msg, status])).toEqual([
      ["error", "request", 503],
      ["info", "request", 200],
      ["info", "run ended", "failed"],
    ]);
    expect(logLines("debug", use)).toHaveLength(5);
  });

  it("writes messages for people as separate lines", () => {
    expect(
      logLines("info", ({ terminal }) => terminal.err("Stopping; runs\nunder way are kept.\n")),
    ).toMatchObject([
      { level: "info", service: "bron", msg: "Stopping; runs\nunder way are kept." },
    ]);
  });
});
