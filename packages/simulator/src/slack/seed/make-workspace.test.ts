import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeMail } from "../../mailbox/make-mail.ts";
import { readTs } from "../slack-times.ts";
import type { SeededWorkspace } from "../state/workspace.ts";
import { makeWorkspace } from "./make-workspace.ts";
import { workingTime } from "./working-time.ts";

const anchor = new Date("2026-11-13T17:30:00Z");
const billNumber = /\b(?:RE-|FA|NW-|FV-|H-)\d{4}-\d+|\bPO-\d+/g;
const messagesOf = ({ messages }: SeededWorkspace) => [...messages.values()].flat();

describe("the workspace", () => {
  test("is the same for the same seed and moment, and another for another seed", () => {
    expect(makeWorkspace(3, anchor)).toEqual(makeWorkspace(3, anchor));
    expect(messagesOf(makeWorkspace(4, anchor))).not.toEqual(messagesOf(makeWorkspace(3, anchor)));
  });

  test("has more than a hundred messages in six channels, from the two weeks before", () => {
    const workspace = makeWorkspace(1, anchor);
    expect(workspace.channels.filter(({ kind }) => kind !== "im")).toHaveLength(6);
    expect(messagesOf(workspace).length).toBeGreaterThan(100);
    const days = messagesOf(workspace).map(
      ({ ts }) => (anchor.getTime() / 1000 - Number(ts)) / 86_400,
    );
    expect(Math.min(...days)).toBeGreaterThan(0);
    expect(Math.max(...days)).toBeLessThan(14);
  });

  test("mentions the invoices and orders of the mailbox", () => {
    const mails = makeMail(1, anchor);
    const text = messagesOf(makeWorkspace(1, anchor))
      .map((message) => message.text)
      .join("\n");
    const numbers = [...new Set(text.match(billNumber))];
    expect(numbers.length).toBeGreaterThanOrEqual(10);
    const subjects = mails.map(({ content }) => content.facts().subject).join("\n");
    expect(numbers.filter((number) => !subjects.includes(number))).toEqual([]);
  });

  test("never mentions a bill before its email arrived", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("2024-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
        (moment) => {
          const mails = makeMail(2, moment).map(({ date, content }) => ({
            time: date.getTime(),
            subject: content.facts().subject,
          }));
          for (const { ts, text } of messagesOf(makeWorkspace(2, moment))) {
            for (const number of text.match(billNumber) ?? []) {
              const mail = mails.find(({ subject }) => subject.endsWith(number));
              expect(mail?.time).toBeLessThan(Number(ts) * 1000);
            }
          }
        },
      ),
      { numRuns: sampleCount(15) },
    );
  });

  test("at any moment: times that grow, none from the future, all on working days of Berlin between 7 and 20", () => {
    const berlin = new Intl.DateTimeFormat("en-US", {
      timeZone: "Europe/Berlin",
      weekday: "short",
      hour: "numeric",
      hourCycle: "h23",
    });
    fc.assert(
      fc.property(
        fc.date({ min: new Date("2024-01-01"), max: new Date("2030-01-01"), noInvalidDate: true }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (moment, seed) => {
          for (const list of makeWorkspace(seed, moment).messages.values()) {
            const times = list.map(({ ts }) => readTs(ts) ?? 0n);
            expect(
              times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0n)),
            ).toBe(true);
            for (const time of times) {
              const at = Number(time / 1000n);
              expect(at).toBeLessThan(moment.getTime());
              const parts = Object.fromEntries(
                berlin.formatToParts(at).map(({ type, value }) => [type, value]),
              );
              expect(["Sat", "Sun"]).not.toContain(parts.weekday);
              expect(Number(parts.hour)).toBeGreaterThanOrEqual(7);
              expect(Number(parts.hour)).toBeLessThan(20);
            }
          }
        },
      ),
      { numRuns: sampleCount(25) },
    );
  });

  test("counts working days back over weekends and the change of the clocks", () => {
    const monday = new Date("2026-10-26T10:00:00Z");
    expect(new Date(workingTime(monday, 0, "09:00")).toISOString()).toBe(
      "2026-10-26T08:00:00.000Z",
    );
    expect(new Date(workingTime(monday, 1, "09:00")).toISOString()).toBe(
      "2026-10-23T07:00:00.000Z",
    );
    expect(new Date(workingTime(new Date("2026-11-15T12:00:00Z"), 0, "09:00")).toISOString()).toBe(
      "2026-11-13T08:00:00.000Z",
    );
  });
});
