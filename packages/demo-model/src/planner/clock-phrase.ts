import { findPlace } from "./places.ts";
import type { Step } from "./step.ts";

const adverbs = "(?:,? (?:right now|now|today|at the moment|currently|over there|please))*";
const timeQuestion = new RegExp(
  "^(?:(?:tell|show|give) me |check |get |look up |find out |do you know |say )?" +
    "(?:(?:what|which|what's|what is|the|today's|current|local|exact|correct) )*" +
    "(?:time|date|day(?: of the week)?|weekday)" +
    `(?: (?:it is|is it|is))?${adverbs}(?: (?:in|at|for|over in|of) (?<places>.+?))?${adverbs}$`,
  "i",
);
const lateQuestion = new RegExp(
  `^how late is it${adverbs}(?: (?:in|at|over in) (?<places>.+?))?${adverbs}$`,
  "i",
);

/** Returns one step per place. */
export function readClock(clause: string): readonly Step[] | undefined {
  const match = timeQuestion.exec(clause) ?? lateQuestion.exec(clause);
  if (match === null) return undefined;
  const places = match.groups?.["places"];
  if (places === undefined) return [{ kind: "clock" }];
  return places
    .split(/\s*,\s*(?:and\s+)?(?:also\s+)?(?:in\s+)?|\s+(?:and|&|plus)\s+(?:also\s+)?(?:in\s+)?/i)
    .map((name) => {
      const place = findPlace(name);
      return place === undefined
        ? { kind: "unclear", words: clause, reason: `I don't know the time zone of "${name}".` }
        : { kind: "clock", place };
    });
}
