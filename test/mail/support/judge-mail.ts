import type { RunEvent, RunView } from "@bron/protocol";
import type { Simulator } from "@bron/simulator";
import { expect } from "vitest";

export interface MailCase {
  readonly run: RunView;
  readonly events: readonly RunEvent[];
  readonly simulator: Simulator;
  readonly subject: string;
  /**
   * How many drafts may remain: a draft request that Google held back until after the send leaves
   * one.
   */
  readonly lateDrafts?: number;
}

/** How the mail of a case is sent, and how it is recognized. */
interface JudgedMail {
  readonly tool: string;
  isOf(mail: { readonly subject: string; readonly raw: string }, subject: string): boolean;
}

export const judgeMail = createMailJudge({
  tool: "gmail_draft_send",
  isOf: (mail, subject) => mail.subject === subject,
});

/** A forwarded mail keeps its subject. The note above it names the case. */
export const judgeForward = createMailJudge({
  tool: "gmail_forward",
  isOf: ({ raw }, note) => Buffer.from(raw, "base64").includes(`${note}\r\n`),
});

function createMailJudge(judged: JudgedMail) {
  return async (one: MailCase) => await judge(one, judged);
}

/**
 * Checks by the simulator's record what must hold after any crash or lost response: no duplicate,
 * and no silent loss.
 */
async function judge(
  { run, events, simulator, subject, lateDrafts = 0 }: MailCase,
  { tool, isOf }: JudgedMail,
): Promise<"sent" | "not sent" | "unknown"> {
  const timeline = timelineOf(events, simulator);
  expect(
    events.map(({ seq }) => seq),
    timeline,
  ).toEqual(events.map((_, index) => index + 1));
  expect(run.status, timeline).toBe("completed");
  const planned = events.flatMap((event) =>
    event.type === "step" && event.payload.phase === "end" ? event.payload.calls : [],
  );
  const ends = events.flatMap((event) =>
    event.type === "tool" && event.payload.phase === "end" ? [event.payload] : [],
  );
  expect(ends.map(({ actionId }) => actionId).toSorted(), timeline).toEqual(
    planned.map(({ actionId }) => actionId).toSorted(),
  );

  const sent = simulator.record().sent.filter((mail) => isOf(mail, subject));
  expect(sent.length, `sent ${sent.length} times\n${timeline}`).toBeLessThanOrEqual(1);
  const end = ends.find(({ name }) => name === tool);
  const said =
    end?.outcome === "completed" ? "sent" : end?.outcome === "unknown" ? "unknown" : "not sent";
  if (said === "sent") {
    const { sentMessageId, threadId } = (end?.output ?? {}) as {
      sentMessageId?: string;
      threadId?: string;
    };
    expect(sent, timeline).toMatchObject([{ messageId: sentMessageId, threadId }]);
    expect(sent[0]?.recipients.envelope).toEqual(["eva@elsewhere.example"]);
  }
  if (said === "not sent") {
    expect(sent, timeline).toEqual([]);
    expect(ends.at(-1)?.error?.message, timeline).toBeTruthy();
  }
  if (said === "unknown") {
    const cards = events.flatMap((event) =>
      event.type === "ui" && event.payload.kind === "UnknownEffectCard"
        ? [event.payload.payload]
        : [],
    );
    expect(cards, timeline).toMatchObject([{ tool, preview: expect.stringContaining(subject) }]);
    expect(String((cards[0] as { check?: unknown }).check), timeline).toContain(
      "Check your Sent folder",
    );
  }
  const drafts = (await simulator.control.drafts(simulator.accounts[0]?.address ?? "")).filter(
    (draft) => isOf(draft, subject),
  );
  expect(drafts.length, `${drafts.length} drafts are left\n${timeline}`).toBeLessThanOrEqual(
    sent.length > 0 ? lateDrafts : 1,
  );
  return said;
}

export function timelineOf(events: readonly RunEvent[], simulator: Simulator): string {
  const log = events.map(
    ({ seq, type, payload, createdAt }) =>
      `${createdAt.slice(17, 23)} ${seq} ${type} ${JSON.stringify(payload).slice(0, 200)}`,
  );
  const changes = simulator
    .record()
    .calls.filter(({ verb, fault }) => verb !== "GET" || fault !== undefined)
    .slice(-20)
    .map(
      ({ time, method, status, ending, fault, effects }) =>
        `${time.slice(17, 23)} ${method} ${status ?? ending} ${fault ?? ""} ${effects.join(", ")}`,
    );
  return [...log, "At Google:", ...changes].join("\n");
}
