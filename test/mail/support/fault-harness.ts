import { reportOutcomeName } from "@bron/protocol";
import type { FaultRule } from "@bron/simulator";
import { readEverything, type Script } from "@bron/testing";
import { expect, inject } from "vitest";
import { openMailHarness, type MailHarness } from "./mail-harness.ts";
import { resultOf } from "./mail-script.ts";

interface Found {
  readonly matches: { readonly messageId: string; readonly attachments: string[] }[];
}

export interface FaultHarness extends MailHarness {
  /** How long the client waited before its retries, in milliseconds. */
  readonly pauses: number[];
}

/** A task whose name starts like this forwards a mail with its name as the note. Others send a new one. */
export const forwardPrefix = "forward ";

export async function openFaultHarness(changeMs: number): Promise<FaultHarness> {
  const pauses: number[] = [];
  let forwardedId = "";
  const harness = await openMailHarness(inject("postgresUrl"), {
    times: { draftMs: changeMs, sendMs: changeMs, searchDelaysMs: [0, 0] },
    pause(ms) {
      pauses.push(ms);
      return Promise.resolve();
    },
    script: (call) => faultScript(call, forwardedId),
    // Without asks, a forward calls Google only for the mail itself.
    reader: (prompt) =>
      prompt.includes(`"${forwardPrefix}`)
        ? { asks: [], prohibitions: [] }
        : readEverything(prompt),
  });
  forwardedId = await harness.simulator.control.deliver(harness.owner, {
    from: "billing@wholesale.example",
    to: [harness.owner],
    subject: "Your receipt",
    text: "Thank you.",
  });
  return { ...harness, pauses };
}

/**
 * Each step needs the result of the step before. Without it the model says that it failed, and ends.
 */
function faultScript({ options }: Parameters<Script>[0], forwardedId: string): ReturnType<Script> {
  const since = options.prompt.findLastIndex(({ role }) => role === "user");
  const own = { ...options, prompt: options.prompt.slice(since) };
  const turn = own.prompt.filter(({ role }) => role === "assistant").length;
  const task = options.prompt[since];
  const name =
    task?.role === "user"
      ? task.content.map((part) => (part.type === "text" ? part.text : "")).join("")
      : "";
  const steps = name.startsWith(forwardPrefix)
    ? [
        {
          tool: "gmail_forward",
          input: { messageId: forwardedId, to: ["eva@elsewhere.example"], note: name },
        },
      ]
    : stepsOfSending(own, name);
  const step = steps[turn];
  return step ? { calls: [step] } : { text: turn < steps.length ? "It did not work." : "Done." };
}

function stepsOfSending(own: Parameters<Script>[0]["options"], subject: string) {
  const found = resultOf<Found>(own, "gmail_search")?.matches[0];
  const kept = resultOf<{ digest: string; filename: string; mimeType: string }>(
    own,
    "gmail_attachment_get",
  );
  const draft = resultOf<{ draftId: string }>(own, "gmail_draft_create");
  return [
    { tool: "gmail_search", input: { query: "subject:invoice filename:pdf", maxResults: 1 } },
    found && { tool: "gmail_message_read", input: { messageId: found.messageId } },
    found &&
      resultOf(own, "gmail_message_read") !== undefined && {
        tool: "gmail_attachment_get",
        input: { messageId: found.messageId, filename: found.attachments[0] },
      },
    kept && {
      tool: "gmail_draft_create",
      input: {
        to: ["eva@elsewhere.example"],
        subject,
        bodyText: "Here it is.",
        attachments: [{ digest: kept.digest, filename: kept.filename, mediaType: kept.mimeType }],
      },
    },
    draft && { tool: "gmail_draft_send", input: { draftId: draft.draftId } },
  ];
}

/** The mails that the task of this name sent. */
export const sentOf = (harness: MailHarness, name: string) =>
  harness.simulator
    .record()
    .sent.filter(({ subject, raw }) =>
      name.startsWith(forwardPrefix)
        ? Buffer.from(raw, "base64").includes(`\r\n${name}\r\n`)
        : subject === name,
    );

/**
 * Runs the complete task with `name` as its subject, with the fault active from the start. Returns
 * the outcome.
 */
export async function perform(harness: FaultHarness, name: string, rule?: FaultRule) {
  harness.simulator.faults.clear();
  harness.pauses.length = 0;
  // Expired access tokens make every task refresh its token.
  harness.simulator.control.expireAccessTokens();
  if (rule) harness.simulator.faults.add(rule);
  const before = harness.simulator.record().calls.length;
  let run = await harness.runUntilParked(name);
  expect(sentOf(harness, name)).toEqual([]);
  if (run.status === "awaiting_confirmation") {
    await harness.approve(run.id);
    run = await harness.waitUntilParked(run.id);
  }
  harness.simulator.faults.clear();
  const events = await harness.events(run.id);
  const ends = events.flatMap((event) =>
    event.type === "tool" &&
    event.payload.phase === "end" &&
    event.payload.name !== reportOutcomeName
      ? [event.payload]
      : [],
  );
  const calls = harness.simulator
    .record()
    .calls.slice(before)
    .map(({ method }) => method);
  return {
    run,
    events,
    ends,
    calls,
    timeline: JSON.stringify({ status: run.status, ends, calls }),
  };
}
export type Performed = Awaited<ReturnType<typeof perform>>;
