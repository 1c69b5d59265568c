import fc from "fast-check";
import { test } from "vitest";
import { freeGaps } from "./calendar-events.ts";
import type { Hours } from "./hours.ts";

type MinuteSpan = Required<Hours>;
const overlaps = (a: MinuteSpan, b: MinuteSpan) => a.start < b.end && b.start < a.end;

const stretch = fc
  .tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 1, max: 600 }))
  .map(([start, length]): MinuteSpan => ({ start, end: Math.min(1_440, start + length) }));

test("every minute of the window is either busy or free", () => {
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 10 }), stretch, (busy, window) => {
      const gaps = freeGaps(busy, window);
      const holds = (list: readonly MinuteSpan[], minute: number) =>
        list.some(({ start, end }) => start <= minute && minute < end);
      return Array.from(
        { length: window.end - window.start },
        (_, index) => window.start + index,
      ).every((minute) => holds(gaps, minute) !== holds(busy, minute));
    }),
  );
});

test("returns ordered, disjoint gaps inside the window with the required length", () => {
  fc.assert(
    fc.property(
      fc.array(stretch, { maxLength: 10 }),
      stretch,
      fc.integer({ min: 1, max: 120 }),
      (busy, window, least) => {
        const gaps = freeGaps(busy, window, least);
        return gaps.every(
          ({ start, end }, index) =>
            start >= window.start &&
            end <= window.end &&
            end - start >= least &&
            (gaps[index + 1]?.start ?? 1_441) > end &&
            busy.every((one) => !overlaps(one, { start, end })),
        );
      },
    ),
  );
});
