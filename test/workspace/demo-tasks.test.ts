import { reportOutcomeName } from "@bron/protocol";
import { isFullSuite } from "@bron/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { SimulatorRecord } from "@bron/simulator";
import { startBron, type StartedBron } from "../browser/support/started-bron.ts";

interface Event {
  readonly type: string;
  readonly payload: {
    readonly phase?: string;
    readonly name?: string;
    readonly outcome?: string;
    readonly content?: string;
    readonly final?: boolean;
    readonly output?: Output;
  };
}

interface Output {
  readonly events?: readonly {
    readonly summary: string;
    readonly start: string;
    readonly end: string;
    readonly allDay: boolean;
  }[];
  readonly messages?: readonly { readonly who: string; readonly text: string }[];
  readonly sentMessageId?: string;
}

interface Approval {
  readonly id: string;
  readonly digest: string;
}

/**
 * Ways to ask for the same task. `npm test` takes the first one: the tests of the demo model prove
 * that it understands the others (`suggested-tasks.test.ts`).
 */
function waysToAsk<T>(first: T, ...others: readonly T[]): T[] {
  return isFullSuite ? [first, ...others] : [first];
}

/**
 * Calendar, Slack and web as a new user gets them: the demo model over its real wire protocol, the
 * sandbox, no key and no network.
 */
describe("demo tasks, with the demo model", () => {
  let runtime: StartedBron;
  let cookie: string;
  beforeAll(async () => {
    runtime = await startBron({ template: inject("templateHome") });
    const response = await fetch(runtime.signInLink, { redirect: "manual" });
    cookie = response.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  }, 60_000);
  afterAll(async () => await runtime.close());

  const ask = async <T>(path: string, body?: unknown): Promise<T> => {
    const response = await fetch(`${runtime.url}${path}`, {
      headers: { cookie, "content-type": "application/json" },
      method: body === undefined ? "GET" : "POST",
      body: body === undefined ? null : JSON.stringify(body),
    });
    expect(response.ok, `${path}: ${response.status}`).toBe(true);
    return (await response.json()) as T;
  };

  /** Decides every approval of the run in the same way. */
  const run = async (prompt: string, choice: "approve" | "deny" = "approve") => {
    const before = await runtime.record();
    const { id } = await ask<{ id: string }>("/api/runs", { prompt });
    const decided = new Set<string>();
    for (
      const deadline = Date.now() + 60_000;
      Date.now() < deadline;
      await new Promise((resolve) => setTimeout(resolve, 200))
    ) {
      const { status, createdAt } = await ask<{ status: string; createdAt: string }>(
        `/api/runs/${id}`,
      );
      if (status === "awaiting_confirmation") {
        const { approvals } = await ask<{ approvals: Approval[] }>(
          `/api/approvals?runId=${id}&pending=true`,
        );
        for (const approval of approvals) {
          await ask(`/api/approvals/${approval.id}/${choice}`, { digest: approval.digest });
          decided.add(approval.id);
        }
      }
      if (status !== "completed" && status !== "failed") continue;
      const { events } = await ask<{ events: Event[] }>(`/api/runs/${id}/events`);
      const ended = events.flatMap(({ type, payload }) =>
        type === "tool" && payload.phase === "end" && payload.name !== reportOutcomeName
          ? [payload]
          : [],
      );
      const response =
        events.find(({ type, payload }) => type === "message" && payload.final === true)?.payload
          .content ?? "";
      return {
        status,
        response,
        approvals: decided.size,
        names: ended.map(({ name }) => name ?? ""),
        outputs: ended.map(({ output }) => output ?? {}),
        today: createdAt.slice(0, 10),
        ...since(before, await runtime.record()),
      };
    }
    throw new Error(`"${prompt}" did not end`);
  };

  it("RT9 X8 a suggestion on the page is done, and claims nothing that did not happen", async () => {
    const { suggestions } = await ask<{ suggestions: string[] }>("/api/about");
    expect(suggestions.length).toBeGreaterThanOrEqual(10);
    // The tests of the demo model play all of them in every run.
    for (const suggestion of suggestions.filter((_, index) => isFullSuite || index % 3 === 0)) {
      const { status, response, names, sent, calendar, approvals } = await run(suggestion);
      expect(status, suggestion).toBe("completed");
      expect(names.length, suggestion).toBeGreaterThan(0);
      expect(response, suggestion).not.toMatch(
        /demo model|I couldn't|I didn't get|[Nn]o messages|No result|says nothing/,
      );
      // These change neither the mailbox nor the calendar.
      const others = names.filter((name) => /^(?:schedule_create$|mcp\/)/.test(name));
      expect(sent.length + calendar.length + others.length, suggestion).toBe(approvals);
    }
    expect((await runtime.command("sandbox", "reset")).code).toBe(0);
  }, 120_000);

  it.each(
    waysToAsk(
      "What is on my calendar in the next 7 days?",
      "Which meetings do I have in the next 7 days?",
      "Please show me my appointments for the next seven days.",
    ),
  )("RT9 lists the events of the calendar, each with its time: %s", async (prompt) => {
    const { response, names, outputs, calendar, sent } = await run(prompt);
    expect(names).toEqual(["calendar_search"]);
    const events = outputs[0]?.events ?? [];
    expect(events.length).toBeGreaterThan(3);
    for (const { summary, start, allDay } of events)
      expect(response).toContain(allDay ? summary : `${start.slice(11, 16)}–`);
    expect(response.split("\n").filter((line) => line.startsWith("- "))).toHaveLength(
      events.length,
    );
    expect([...calendar, ...sent]).toEqual([]);
  });

  it("RT9 finds the gaps of a day, and none of them overlaps an event", async () => {
    const { response, outputs } = await run("When am I free on Thursday?");
    const gaps = Array.from(
      response.matchAll(/^- (\d{2}:\d{2}) to (\d{2}:\d{2})$/gm),
      ([, from = "", to = ""]) => ({ from, to }),
    );
    expect(gaps.length).toBeGreaterThan(0);
    const timed = (outputs[0]?.events ?? []).filter(
      ({ allDay, start, end }) => !allDay && start.slice(0, 10) === end.slice(0, 10),
    );
    for (const { from, to } of gaps)
      for (const { start, end } of timed)
        expect(start.slice(11, 16) >= to || end.slice(11, 16) <= from).toBe(true);
  });

  it.each(
    waysToAsk(
      [
        "Schedule a 30 minute call with jonas@lindqvist.example tomorrow at 10:00 about frame tubes",
        "Call: frame tubes",
        "Added",
      ],
      [
        "Please book a 30-minute call about frame tubes with jonas@lindqvist.example for tomorrow, 10am",
        "Call: frame tubes",
        "Added",
      ],
      [
        "Put a call with jonas@lindqvist.example about frame tubes on my calendar tomorrow from 10:00, half an hour",
        "Call: frame tubes",
        "Added",
      ],
    ),
  )("RT9 creates an event once, after approval: %s", async (prompt, summary, words) => {
    const { response, calendar, today, approvals } = await run(prompt);
    expect(approvals).toBe(1);
    expect(calendar).toMatchObject([
      { kind: "inserted", event: { summary }, notified: ["jonas@lindqvist.example"] },
    ]);
    const [{ event } = { event: undefined }] = calendar;
    expect(event?.start?.dateTime?.slice(0, 16)).toBe(`${dayAfter(today)}T10:00`);
    expect(event?.end?.dateTime?.slice(0, 16)).toBe(`${dayAfter(today)}T10:30`);
    expect(response).toContain(words);
    expect(response).toContain("10:00–10:30");
  });

  it.each(
    waysToAsk(
      "Move my 1:1 with Jonas to Thursday 15:00",
      "Put lunch with Priya on Friday 12:30 for an hour",
      "Rename the 1:1 with Jonas to Coffee",
      "Summarise #orders of the last 14 days and mail it to jonas@lindqvist.example",
    ),
  )("BR5 does nothing that is denied, and says so: %s", async (prompt) => {
    const { response, calendar, sent, approvals } = await run(prompt, "deny");
    expect(approvals).toBe(1);
    expect([...calendar, ...sent]).toEqual([]);
    expect(response).toContain("You didn't approve it");
    expect(response).not.toMatch(/^(?:Added|Moved|Renamed|Updated|Sent) /m);
  });

  it("RT9 moves, renames and adds a guest to one event of a series, and leaves the others unchanged", async () => {
    const moved = await run("Move my 1:1 with Jonas to Thursday 15:00");
    const renamed = await run("Rename the 1:1 with Jonas to Long 26 talk");
    const added = await run("Add priya@lindqvist.example to the Long 26 talk");
    const changes = [moved, renamed, added].flatMap(({ calendar }) => calendar);
    expect(changes).toMatchObject([
      { kind: "patched" },
      { kind: "patched", event: { summary: "Long 26 talk" } },
      { kind: "patched", event: { summary: "Long 26 talk" } },
    ]);
    expect(new Set(changes.map(({ eventId }) => eventId)).size).toBe(1);
    expect(changes[0]?.event.start?.dateTime?.slice(11, 16)).toBe("15:00");
    expect(new Date(changes[0]?.event.start?.dateTime ?? 0).getUTCDay()).toBe(4);
    expect(changes.at(-1)?.event.attendees?.map(({ email }) => email)).toEqual(
      expect.arrayContaining(["jonas@lindqvist.example", "priya@lindqvist.example"]),
    );
    expect(moved.response).toContain("Only this occurrence changes.");
    expect((await run("When is my next 1:1 with Jonas?")).response).toContain("1:1 Mara / Jonas");
  });

  it("RT9 asks which event is meant, and changes nothing", async () => {
    const { response, calendar } = await run("Move the 1:1 to Thursday 16:00");
    expect(response).toContain("Which one do you mean?");
    expect(calendar).toEqual([]);
  });

  it.each(
    waysToAsk(
      "Give me a summary of #suppliers of the past two weeks with the replies",
      "What was discussed in #orders in the last 14 days?",
      "Summarize #workshop of the last 14 days",
    ),
  )("RT9 says who wrote what in Slack, in their own words: %s", async (prompt) => {
    const { response, outputs, posted } = await run(prompt);
    const written = outputs.flatMap(({ messages = [] }) => messages);
    const lines = Array.from(
      response.matchAll(/^- [^,:]*\d[^,:]*, ([^:]+): (.+)$/gm),
      ([, who = "", sentence = ""]) => ({ who, sentence }),
    );
    expect(lines.length).toBeGreaterThan(3);
    for (const { who, sentence } of lines)
      expect(
        written.some((message) => message.who === who && message.text.includes(sentence)),
        `${who}: ${sentence}`,
      ).toBe(true);
    expect(posted).toEqual([]);
  });

  it.each(
    waysToAsk(
      [
        "Read https://www.lindqvist.example/ and mail the prices to jonas@lindqvist.example",
        "4,290 EUR",
      ],
      ["Summarise #orders of the last 14 days and mail it to jonas@lindqvist.example", "#orders"],
      ["Send jonas@lindqvist.example the prices from https://www.lindqvist.example/", "4,290 EUR"],
    ),
  )("RT9 BR3 sends what it found once, after approval: %s", async (prompt, words) => {
    const { sent, approvals, response, outputs } = await run(prompt);
    expect(approvals).toBe(1);
    expect(sent.map(({ recipients }) => recipients.envelope)).toEqual([
      ["jonas@lindqvist.example"],
    ]);
    expect(Buffer.from(sent[0]?.raw ?? "", "base64").toString()).toContain(words);
    expect(outputs.map(({ sentMessageId }) => sentMessageId)).toContain(sent[0]?.messageId);
    expect(response).toMatch(/^Sent /m);
  });

  it("RT9 says what a page says about one topic", async () => {
    expect(
      (await run("What does https://www.brandt-metall.example/prices say about the dropout?"))
        .response,
    ).toContain("Dropout, steel: From 100 6.40 EUR; From 500 5.75 EUR");
  });

  it("RT13 quickly says that a page does not exist", async () => {
    expect(
      (await run("What does https://www.brandt-metall.example/nothing say about the dropout?"))
        .response,
    ).toContain("returned status 404");
  });

  it("RT13 says in one line what it knows when it has no matching task", async () => {
    const { response, names } = await run("Tell me a joke about bicycles");
    expect(names).toEqual([]);
    expect(response).toContain("I know a fixed set of tasks:");
    for (const topic of ["calendar", "email", "Slack", "web pages"])
      expect(response).toContain(topic);
  });
});

/** What happened in between. */
function since(
  before: SimulatorRecord,
  after: SimulatorRecord,
): Pick<SimulatorRecord, "sent" | "calendar" | "posted"> {
  return {
    sent: after.sent.slice(before.sent.length),
    calendar: after.calendar.slice(before.calendar.length),
    posted: after.posted.slice(before.posted.length),
  };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
