import type { LogLine } from "@bron/protocol";
import { expect, it } from "vitest";
import { describeLine } from "./log-line.ts";

const level = "info";
const lines: readonly [LogLine, string][] = [
  [{ level, message: "Written by an earlier version." }, "Written by an earlier version."],
  [{ level, kind: "progress", message: "Page 3 of 9" }, "Page 3 of 9"],
  [{ level, kind: "message_truncated" }, "The answer hit the length limit and may be incomplete."],
  [
    { level, kind: "reused", tool: "send", runId: "3f9a1c20-1111", isUnknown: true },
    "Reused from run 3f9a1c20: Send, outcome unknown.",
  ],
  [
    {
      level,
      kind: "model_retry",
      error: { code: "model_unavailable", message: "It is busy." },
      delayMs: 1_200,
    },
    "It is busy. Trying again in 2s.",
  ],
  [
    { level, kind: "effect_unclear", tool: "send", message: "No response." },
    "Send: No response. Checking whether it went through.",
  ],
  [{ level, kind: "effect_retry", tool: "send" }, "Send: It was not done. Trying again."],
  [
    { level, kind: "effect_interrupted", tool: "send", delayMs: 5_000 },
    "Send was interrupted. Bron will check in 5s whether it happened.",
  ],
  [
    { level, kind: "effect_unclear", tool: "send", why: { code: "timed_out", seconds: 30 } },
    "Send: It did not finish within 30s. Checking whether it went through.",
  ],
  [
    { level, kind: "effect_retry", tool: "send", why: { code: "started_too_late" } },
    "Send: The time limit passed before it started. Trying again.",
  ],
  [
    { level, kind: "outage", code: "database_unreachable" },
    "The database is not responding. Bron keeps trying.",
  ],
  [{ level, kind: "outage", message: "The disk is full." }, "The disk is full. Bron keeps trying."],
  [{ level, kind: "waiting", delayMs: 400 }, "Continues in 1s."],
];

it.each(lines)("BR18 has a sentence for %o", (line, text) => {
  expect(describeLine(line)).toBe(text);
});
