import type { RunEvent } from "@bron/protocol";
import { expect } from "vitest";
import { timelineOf, type MailCase } from "./judge-mail.ts";

const tool = "gmail_send";

/**
 * Checks what must hold after any crash of a task that asks for one mail and calls two: one action
 * used the ask, the owner was asked about the other one, and at most one mail left.
 */
export function judgeUnasked({
  run,
  events,
  simulator,
  subject,
}: MailCase): "sent" | "not sent" | "unknown" {
  const timeline = timelineOf(events, simulator);
  expect(run.status, timeline).toBe("completed");
  const ends = events.flatMap((event) =>
    event.type === "tool" && event.payload.phase === "end" && event.payload.name === tool
      ? [event.payload]
      : [],
  );
  expect(ends, timeline).toHaveLength(2);

  const proposed = [...new Set(events.flatMap((event) => proposalOf(event) ?? []))];
  const [user, ...others] = usersOfAsk(events);
  expect(others, timeline).toEqual([]);
  const asked = events.flatMap((event) =>
    event.type === "approval" && event.payload.state === "pending" ? [event.payload.actionId] : [],
  );
  expect([...asked, ...(user === undefined ? [] : [user])].toSorted(), timeline).toEqual(
    proposed.toSorted(),
  );
  // On a busy machine, a mail may not be prepared in time. Then the other one may use the ask.
  for (const { actionId, outcome, error } of ends)
    if (!proposed.includes(actionId)) expect(error?.code, timeline).toBe("tool_timeout");
    else if (actionId !== user) expect(outcome, timeline).toBe("rejected");
  if (proposed.length === ends.length) expect(user, timeline).toBeDefined();
  const end = ends.find(({ actionId }) => actionId === user);

  const sent = simulator.record().sent.filter((mail) => mail.subject === subject);
  if (end?.outcome === "completed") {
    expect(sent, timeline).toMatchObject([
      {
        messageId: (end.output as { sentMessageId: string }).sentMessageId,
        recipients: { envelope: ["jonas@lindqvist.example"] },
      },
    ]);
    return "sent";
  }
  if (end?.outcome === "unknown") {
    expect(sent.length, timeline).toBeLessThanOrEqual(1);
    return "unknown";
  }
  expect(sent, timeline).toEqual([]);
  return "not sent";
}

function proposalOf(event: RunEvent): string | undefined {
  const states: readonly string[] = ["approved", "awaiting_confirmation"];
  return event.type === "effect" && states.includes(event.payload.state)
    ? event.payload.actionId
    : undefined;
}

/** The actions whose effect used an ask of the task. */
function usersOfAsk(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "effect" && (event.payload.asks?.length ?? 0) > 0
      ? [event.payload.actionId]
      : [],
  );
}
