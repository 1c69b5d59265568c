import type { LogLine } from "@bron/protocol";
import { expect, it } from "vitest";
import { describeLine } from "./log.ts";

const level = "info";
const lines: readonly [LogLine, string][] = [
  [{ level, message: "Written by an earlier version." }, "Written by an earlier version."],
  [{ level, kind: "progress", message: "Page 3 of 9" }, "Page 3 of 9"],
  [{ level, kind: "message_truncated" }, "The answer hit the length limit and may be incomplete."],
  [
    { level, kind: "reused", tool: "gmail_send", runId: "r", isUnknown: true },
    "Reused from the earlier task: Sent an email (unconfirmed)",
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
    { level, kind: "effect_unclear", tool: "gmail_send", message: "No response." },
    "Sending an email: No response. Checking whether it went through.",
  ],
  [
    { level, kind: "effect_retry", tool: "gmail_send" },
    "Sending an email: It was not done. Trying again.",
  ],
  [
    { level, kind: "effect_interrupted", tool: "gmail_send", delayMs: 65_000 },
    "Sending an email was interrupted. Bron will check in 1m 05s whether it happened.",
  ],
  [
    { level, kind: "effect_unclear", tool: "gmail_send", why: { code: "timed_out", seconds: 30 } },
    "Sending an email: It did not finish within 30s. Checking whether it went through.",
  ],
  [
    { level, kind: "effect_retry", tool: "gmail_send", why: { code: "started_too_late" } },
    "Sending an email: The time limit passed before it started. Trying again.",
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
