import { omitUndefined, type NotDoneCause } from "@bron/protocol";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { describeSummary, RunSummary } from "./run-summary.tsx";

it("BR18 says what was done, how often, and what was reused", () => {
  const { done } = describeSummary({
    outcome: "succeeded",
    did: [
      { tool: "gmail_search", count: 1, reused: false },
      { tool: "gmail_message_read", count: 3, reused: false },
      { tool: "plan", count: 1, reused: false },
      { tool: "gmail_search", count: 1, reused: true },
      { tool: "gmail_message_read", count: 2, reused: true },
    ],
    notDone: [],
  });
  expect(done).toEqual([
    "Searched your email",
    "Read an email ×3",
    "Searched your email (reused)",
    "Read an email ×2 (reused)",
  ]);
});

const causes: readonly [NotDoneCause, string | undefined, string][] = [
  ["denied", "too long", "You declined: too long"],
  ["denied", undefined, "You declined."],
  ["undone", undefined, "You undid the approval, so it was not done."],
  ["replied", "shorter, please", "You replied: shorter, please"],
  ["expired", undefined, "The approval expired. Nothing was done."],
  ["closed", undefined, "This was replaced or canceled. Nothing was done."],
  ["blocked", "Your rule says no.", "Blocked: Your rule says no."],
  ["run_ended", undefined, "The task ended before this was done."],
  ["interrupted", undefined, "It was interrupted while running."],
  ["unknown", "Look there.", "Bron couldn't confirm whether it went through. Look there."],
  ["failed", "The board is full.", "The board is full."],
];

it.each(causes)("BR18 says why something was not done: %s (%s)", (cause, message, text) => {
  const { notDone, how, next } = describeSummary({
    outcome: "succeeded",
    did: [],
    notDone: [{ tool: "post_note", cause, ...omitUndefined({ message }) }],
    effectsNotDone: 1,
    nextAction: "retry_rest",
  });
  expect(notDone).toEqual([`Posting to a board: ${text}`]);
  expect(how).toBe("partly_done");
  expect(next).toContain("Retry");
});

it("BR18 makes words of the reasons for which the policy denied something", () => {
  const { notDone } = describeSummary({
    outcome: "succeeded",
    did: [],
    notDone: [{ tool: "post_note", cause: "blocked", reasons: [{ code: "rule_denies" }] }],
  });
  expect(notDone).toEqual(["Posting to a board: Blocked: Your rule doesn't allow this."]);
});

it("BR18 makes words of the reason for which something failed or is unknown", () => {
  const { notDone } = describeSummary({
    outcome: "succeeded",
    did: [],
    notDone: [
      { tool: "post_note", cause: "failed", why: { code: "timed_out", seconds: 30 } },
      { tool: "post_note", cause: "unknown", why: { code: "check_timed_out" } },
      { tool: "post_note", cause: "unknown" },
    ],
  });
  expect(notDone).toEqual([
    "Posting to a board: It did not finish within 30s.",
    "Posting to a board: Bron couldn't confirm whether it went through. Bron couldn't find out in time.",
    "Posting to a board: Bron couldn't confirm whether it went through.",
  ]);
});

it("BR16 names the child runs that did not complete", () => {
  const { notDone } = describeSummary({
    outcome: "succeeded",
    did: [],
    notDone: [],
    unfinished: [
      {
        title: "Count mail",
        status: "failed",
        error: { code: "tool_failed", message: "The mailbox is away." },
      },
      { title: "Read it", status: "canceled" },
      { title: "Sort it", status: "executing", handling: "stopped" },
      { title: "Send it", status: "failed", handling: "replaced", replacement: "Draft it" },
      { title: "File it", status: "completed", notDone: 2 },
    ],
  });
  expect(notDone).toEqual([
    "Count mail: The mailbox is away.",
    "Read it: Canceled.",
    "Sort it: Not finished when the task ended. Bron didn't wait for it and stopped it.",
    "Send it: Failed. Bron did it another way: Draft it.",
    "File it: 2 changes weren't made.",
  ]);
});

it("BR18 says why a run failed and what to do next", () => {
  const page = renderToStaticMarkup(
    <RunSummary
      outcome="failed"
      did={[]}
      notDone={[]}
      error={{ code: "cap_time", why: { code: "time_limit", minutes: 8 } }}
      nextAction="resolve_error"
    />,
  );
  expect(page).toContain("Stopped after 8 minutes, the time limit for one task.");
  expect(page).toContain("Split the task");
});

it("shows a summary of an earlier version as text", () => {
  const page = renderToStaticMarkup(
    <RunSummary
      outcome="succeeded"
      highlights={["Did gmail_search 2 times"]}
      failed={["gmail_send: The user declined."]}
      notDone={1}
      nextAction="Retry it."
    />,
  );
  for (const text of [
    "Partly done",
    "Did gmail_search 2 times",
    "gmail_send: The user declined.",
    "Retry it.",
  ])
    expect(page).toContain(text);
});
