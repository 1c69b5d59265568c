import { describe, expect, test } from "vitest";
import { conflictEvents, mails, playThread, type Played } from "./first-minutes.fixture.ts";

/** What newcomers type in their first ten minutes: its outcome, its tools, and a part of its answer. */
const sentences: readonly (readonly [string, Played["outcome"], readonly string[], string])[] = [
  ["hi", "done", [], "I know a fixed set of tasks"],
  ["what can you do?", "done", [], "I know a fixed set of tasks"],
  ["hey there", "done", [], "I know a fixed set of tasks"],
  ["tell me a joke", "could_not", [], `I can't do "tell me a joke"`],
  ["book me a flight to berlin", "could_not", [], `I can't do "book me a flight to berlin"`],
  ["asdf", "could_not", [], `I can't do "asdf"`],
  ["remind me to call mom at 5", "needs_answer", [], "What day should it be?"],
  ["delete my latest email", "could_not", [], "I can't do"],
  ["translate my latest email to german", "could_not", [], "I can't do"],
  ["which invoices are due this month", "could_not", [], "I can't do"],
  ["whats on my calender tmrw", "done", ["calendar_search"], "November 16, 2026"],
  ["what's on my calandar tommorow pls", "done", ["calendar_search"], "November 16, 2026"],
  ["whats on thursday", "done", ["calendar_search"], "Budget review"],
  ["what meetings do i have on sunday", "done", ["calendar_search"], "November 15, 2026"],
  ["do i have anything on friday", "done", ["calendar_search"], "nothing on your calendar"],
  ["what should I do today?", "done", ["calendar_search"], "November 15, 2026"],
  ["tell me about my day", "done", ["calendar_search"], "November 15, 2026"],
  ["plan my week", "done", ["calendar_search"], "calendar"],
  ["when is my next meeting", "done", ["calendar_search", "clock"], "1:1 Mara / Jonas"],
  [
    "any conflicts on thursday?",
    "done",
    ["calendar_search"],
    "14:00–15:00 Budget review and 14:30",
  ],
  ["am I double booked tomorrow?", "done", ["calendar_search"], "No conflicts on Monday"],
  ["do I have overlapping meetings next week?", "done", ["calendar_search"], "1 conflict"],
  ["do i have time for lunch tomorrow?", "done", ["calendar_search"], "free"],
  ["how many unred mails do i have", "done", ["gmail_search"], "2 unread emails"],
  ["do i have unread mail?", "done", ["gmail_search"], "Eva"],
  ["check my email", "done", ["gmail_search"], "Eva"],
  ["what's in my inbox", "done", ["gmail_search"], "Eva"],
  ["who emailed me today?", "done", ["gmail_search"], "couldn't find"],
  ["what's the latest from Eva", "done", ["gmail_search", "gmail_thread_read"], "frames arrive"],
  ["whats new in #leadership", "done", ["slack_read"], "Ulm has signed"],
  ["whats new in #leadership on friday", "done", ["slack_read"], "Ulm has signed"],
  [
    "check my calendar for thursday, count my unread mails and tell me whats new in #leadership",
    "done",
    ["calendar_search", "gmail_search", "slack_read"],
    "Count my unread mails:\nYou have 2 unread emails.",
  ],
  [
    "summarize my unread emails and book a flight to rome",
    "partly_done",
    ["gmail_search", "gmail_thread_read", "gmail_thread_read"],
    `I can't do "book a flight to rome"`,
  ],
  ["email", "could_not", [], "I can't do"],
  ["write an email to jonas", "needs_answer", [], "What should the email say?"],
  [
    "draft an email to eva@x.example about the meeting",
    "needs_answer",
    [],
    "What should the email say?",
  ],
  ["set up a meeting tomorrow", "needs_answer", [], "What time should it be?"],
  [
    "email Eva that i am running late",
    "done",
    ["gmail_search", "gmail_message_read", "gmail_send"],
    "eva@x.example",
  ],
  [
    "send an email to Zoe saying hi",
    "could_not",
    ["gmail_search", "gmail_message_read", "gmail_search"],
    "I don't know the email address of Zoe.",
  ],
  [
    "set a meeting with Priya tomorrow at 3pm for 1 hour",
    "partly_done",
    ["gmail_search", "gmail_message_read", "calendar_event_create"],
    "I didn't invite Priya",
  ],
  ["cancel my 1:1 with jonas", "could_not", [], "I can't delete events"],
];

describe("the first ten minutes", () => {
  test.each(sentences)("%s: %s", (sentence, outcome, tools, part) => {
    const played = playThread([sentence]);
    expect(played).toMatchObject({ outcome, tools });
    expect(played.text).toContain(part);
  });
});

describe("follow-ups", () => {
  test.each([
    [
      "send it to eva@x.example instead",
      { to: ["eva@x.example"], bodyText: "I can't come. Sorry." },
    ],
    ["send it to Eva instead", { to: ["Eva <eva@x.example>"], bodyText: "I can't come. Sorry." }],
    ["make it shorter", { to: ["jonas@x.example"], bodyText: "I can't come." }],
    ["more formal please", { bodyText: "Dear Jonas,\n\nI cannot come. Sorry.\n\nKind regards\n" }],
    ["friendlier", { bodyText: "Hi Jonas!\n\nI can't come. Sorry.\n\nAll the best\n" }],
    [
      "mention that we deliver on Monday",
      { bodyText: "I can't come. Sorry. We deliver on Monday." },
    ],
    ["change the subject to Lunch", { subject: "Lunch", bodyText: "I can't come. Sorry." }],
  ])("%s", (words, draft) => {
    const { outcome, calls } = playThread([
      "draft an email to jonas@x.example saying I can't come. Sorry.",
      words,
    ]);
    expect(outcome).toBe("done");
    expect(
      calls.findLast(({ name }) => /^gmail_(?:draft_create|send)$/.test(name))?.args,
    ).toMatchObject(draft);
  });

  test("name what they don't know instead of doing a part", () => {
    const { outcome, calls, text } = playThread([
      "draft an email to jonas@x.example saying I can't come.",
      "send it to eva@x.example, and paint it blue",
    ]);
    expect({ outcome, calls }).toEqual({ outcome: "could_not", calls: [] });
    expect(text).toContain("paint it blue");
  });

  test("say who said it", () => {
    const { outcome, text } = playThread(["summarize #leadership", "who said it"]);
    expect(outcome).toBe("done");
    expect(text).toContain('- Mara: "Ulm has signed."');
  });

  test("give the text that was asked for", () => {
    const { calls } = playThread(["write an email to eva@x.example", "The frames are here."]);
    expect(calls).toMatchObject([
      {
        name: "gmail_send",
        args: { to: ["eva@x.example"], bodyText: "The frames are here." },
      },
    ]);
  });
});

const csv = { name: "sales.csv", mediaType: "text/csv", digest: "sha256:csv" };
const pdf = { name: "inv.pdf", mediaType: "application/pdf", digest: "sha256:pdf" };
const txt = { name: "minutes.txt", mediaType: "text/plain", digest: "sha256:txt" };

describe("attached files", () => {
  test.each([
    ["what's the total on this invoice", [pdf], "done", "- Total: 1,190.00 EUR"],
    ["summarize this", [pdf], "done", "- Invoice Number: INV-7781"],
    ["when is it due?", [pdf], "done", "- Due Date: 2026-12-02"],
    ["total up the attached csv", [csv], "done", "- Sum of Amount: 2,249.75"],
    ["how many rows are in this", [csv], "done", "- 3 rows"],
    ["Read the attached document", [csv], "done", "sales.csv"],
    ["who will write to the supplier?", [txt], "done", "- Priya will write to the supplier."],
    ["what does it say about pizza", [txt], "could_not", 'nothing about "pizza"'],
    ["summarize these files", [pdf, csv], "done", "Read sales.csv:"],
    ["what's the total of the pdf", [pdf, csv], "done", "- Total: 1,190.00 EUR"],
    ["what's the iban", [pdf], "could_not", "Not found in inv.pdf: IBAN"],
  ] as const)("%s", (sentence, files, outcome, part) => {
    const played = playThread([sentence], files);
    expect(played.outcome).toBe(outcome);
    expect(played.text).toContain(part);
    expect(played.tools.filter((name) => !name.startsWith("document_"))).toEqual([]);
  });

  test("come first, but other words still mean the mailbox and the calendar", () => {
    expect(playThread(["how many unread mails do i have"], [pdf]).tools).toEqual(["gmail_search"]);
    expect(playThread(["what's on my calendar tomorrow"], [pdf]).tools).toEqual([
      "calendar_search",
    ]);
  });

  test("of an earlier message are not replaced by a file of the mailbox", () => {
    const { outcome, tools, text } = playThread(
      ["what's the total on this invoice", "and when is it due?"],
      [pdf],
    );
    expect({ outcome, tools }).toEqual({ outcome: "needs_answer", tools: [] });
    expect(text).toContain("Attach it again");
  });
});

test("the sandbox of these sentences has one conflict and two unread emails", () => {
  expect(conflictEvents).toHaveLength(3);
  expect(mails.filter(({ isUnread }) => isUnread)).toHaveLength(2);
});
