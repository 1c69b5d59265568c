import { visible } from "@bron/protocol";
import { BronError } from "@bron/core";
import { describe, expect, test } from "vitest";
import { renderApproval, renderCard } from "./card.ts";
import { renderError } from "./error.ts";
import { createEventDescriber } from "./event-line.ts";
import { fields, table } from "./table.ts";
import { ago, until } from "./time.ts";
import { oneLine } from "./visible.ts";

const now = new Date("2026-11-15T12:00:00Z");
const plain = { json: false, debug: false, reference: "ref-1" };

test("the events of a run name the tools that it gained and lost, but not those it had first", () => {
  const describeEvent = createEventDescriber();
  const lines = [
    { clock: "1", send: "2" },
    { clock: "3", fetch: "4" },
  ].map((tools, index) =>
    describeEvent({
      runId: "r",
      seq: index + 1,
      createdAt: now.toISOString(),
      type: "tool_set",
      payload: { tools },
    }),
  );
  expect(lines).toEqual([undefined, "Tools changed: + Fetch, - Send, ~ Checking the time"]);
});

test("a draft that was not asked about names what to look at", () => {
  const why = { code: "link_not_mentioned" as const, host: "evil.example" };
  const risk = { kind: "host" as const, value: "evil.example\u202e", why, from: [], notes: [] };
  const line = createEventDescriber()({
    runId: "r",
    seq: 1,
    createdAt: now.toISOString(),
    type: "effect",
    payload: {
      effectId: "e",
      actionId: "a",
      tool: "gmail_draft_create",
      state: "approved",
      digest: "d",
      risks: [risk, risk],
    },
  });
  expect(line).toBe('Look at this before you use it: "evil.example\\u{202e}"');
});

describe("errors", () => {
  test("show the message, the hint and the code", () => {
    expect(renderError(new BronError("port_taken", "PORT 80 is taken."), plain)).toMatchObject({
      out: "",
      err: "error: PORT 80 is taken.\nhint: Set PORT to a free port.\ncode: port_taken\n",
    });
  });

  test("are one JSON object on standard output with --json", () => {
    const { out, err } = renderError(new BronError("not_found", "No."), { ...plain, json: true });
    expect(JSON.parse(out)).toEqual({
      error: { code: "not_found", message: "No.", hint: expect.any(String) },
    });
    expect(err).toBe("");
  });

  test("inside the running server keep its reference", () => {
    const error = new BronError("internal", "Something went wrong inside Bron.", {
      details: { reference: "0a1b2c" },
    });
    expect(renderError(error, plain).view).toMatchObject({
      code: "internal",
      message: "Something went wrong in the running server (reference 0a1b2c).",
    });
  });

  test.each([
    [new TypeError("secret detail")],
    [new BronError("lease_lost", "secret detail")],
    ["secret detail"],
  ])("that are not public become internal with a reference", (error) => {
    const { view, err } = renderError(error, plain);
    expect(view).toMatchObject({ code: "internal", message: expect.stringContaining("ref-1") });
    expect(err).not.toContain("secret detail");
  });

  test("show their stack and cause only with debug", () => {
    const error = new BronError("internal", "outer", { cause: new Error("inner") });
    expect(renderError(error, { ...plain, debug: true }).err).toMatch(
      /outer[\s\S]+Caused by: Error: inner\n\s+at /,
    );
  });
});

describe("cards", () => {
  test("an approval shows the action and the reason", () => {
    const payload = {
      approvalId: "3f9a1c20-1111-4222-8333-444455556666",
      actionId: "a",
      effectId: "e",
      tool: "post_note",
      digest: "sha256:ab",
      state: "pending" as const,
      reasons: ["It changes something.", { code: "supervised" as const }],
      preview: "Post\nhello",
      expiresAt: "2026-11-18T12:00:00Z",
    };
    const text = renderApproval(payload, { now, calledAs: "bron" })
      .join("\n")
      .replace(/\(2026[^)]+\)/, "(TIME)");
    expect(text).toMatchInlineSnapshot(`
      "Post this?
        Post
        hello

        Why:     It changes something. This Bron is Supervised, so it asks before sending or changing anything.
        Expires: in 3 days (TIME)
        Approve: bron approvals approve 3f9a1c20
        Deny:    bron approvals deny 3f9a1c20"
    `);
  });

  test("a failure shows what was done, what was not, and what to do next", () => {
    const payload = {
      outcome: "failed",
      did: [
        { tool: "clock", count: 1, reused: true },
        { tool: "calculator", count: 2, reused: false },
      ],
      notDone: [{ tool: "post_note", cause: "denied" }],
      unfinished: [{ title: "Count mail", status: "failed" }],
      error: { code: "cap_time", why: { code: "time_limit", minutes: 8 } },
      nextAction: "resolve_error",
      partialText: "So far\nso good",
    };
    expect(renderCard("RunSummaryCard", payload).join("\n")).toMatchInlineSnapshot(`
      "Failed: Stopped after 8 minutes, the time limit for one task. (code cap_time)
        Done:          Checked the time (reused)
                       Calculated, 2 times
        Not done:      Post to a board: You declined.
                       Count mail: Failed.
        Answer so far: So far
                       so good
        Next step:     Split the task, or raise BRON_CAP_MINUTES."
    `);
  });

  test("a failure of an earlier version is shown as text", () => {
    const payload = {
      outcome: "failed",
      highlights: ["Did clock", "Did calculator 2 times"],
      failed: ["post_note: The user declined."],
      reason: "It worked for 8 minutes.",
      nextAction: "Split the task.",
    };
    expect(renderCard("RunSummaryCard", payload).join("\n")).toMatchInlineSnapshot(`
      "Failed: It worked for 8 minutes.
        Done:      Did clock
                   Did calculator 2 times
        Not done:  post_note: The user declined.
        Next step: Split the task."
    `);
  });

  test("a lost account shows the command that reconnects it", () => {
    expect(
      renderCard("ReconnectCard", {
        provider: "slack",
        reason: "Slack no longer accepts the connection (token_revoked).",
      }),
    ).toEqual([
      "Slack no longer accepts the connection (token_revoked). Sign in again with: bron connect slack",
    ]);
  });

  test("an unknown effect says what to check", () => {
    const payload = {
      effectId: "e-1",
      actionId: "a",
      tool: "post_note",
      preview: "Post hello",
      check: "Look at the board.",
    };
    expect(renderCard("UnknownEffectCard", payload).join("\n")).toMatchInlineSnapshot(`
      "Couldn't confirm whether this was posted.
        What:   Post hello
        Check:  Look at the board.
        Effect: e-1
        Settle: bron effects settle e-1 --happened (or --did-not-happen)"
    `);
    const { check: _, ...silent } = payload;
    expect(renderCard("UnknownEffectCard", silent)).toContain(
      "  Check:  Check whether this was posted.",
    );
    const why = { code: "check_timed_out" };
    expect(renderCard("UnknownEffectCard", { ...silent, why })).toContain(
      "  Check:  Bron couldn't find out in time. Check whether this was posted.",
    );
  });

  test("an unknown card is named", () => {
    expect(renderCard("NewCard", { a: 1 })).toEqual([
      "A card that this version can't show (NewCard)",
    ]);
  });
});

test("a table aligns its columns and truncates the last one at the terminal's edge", () => {
  expect(
    table(
      ["ID", "TITLE"],
      [
        ["abc", "a title that is long"],
        ["d", "short"],
      ],
      15,
    ),
  ).toEqual(["ID   TITLE", "abc  a title t…", "d    short"]);
});

test("fields are aligned, and empty ones are omitted", () => {
  expect(
    fields([
      ["A", "1\n2"],
      ["Longer", "3"],
      ["None", undefined],
      ["Empty", ""],
    ]),
  ).toEqual(["  A:      1\n          2", "  Longer: 3"]);
});

test("times use the largest unit that fits", () => {
  expect(ago("2026-11-15T11:59:59.500Z", now)).toBe("just now");
  expect(ago("2026-11-15T11:58:00Z", now)).toBe("2m ago");
  expect(until("2026-11-18T11:59:00Z", now)).toBe("in 3 days");
  expect(until("2026-11-16T13:00:00Z", now)).toBe("in 1 day");
  expect(until("2026-11-15T11:00:00Z", now)).toBe("now");
});

test("invisible characters become visible, and the rest stays", () => {
  expect(visible("é 👩‍🚀\tx\r\ny\u0000\u009B\u2066")).toBe("é 👩‍🚀\tx\ny\\u{0}\\u{9b}\\u{2066}");
  expect(oneLine(`${"x".repeat(200)}`, 5)).toBe("xxxx…");
});
