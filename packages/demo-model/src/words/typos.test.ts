import { expect, it } from "vitest";
import { correctTypos } from "./typos.ts";

it.each([
  ["whats on my calender tmrw", "what's on my calendar tomorrow"],
  ["how many unred emials", "how many unread emails"],
  ["Any confilcts on thrusday?", "Any conflicts on thursday?"],
  ["recive, shedule, meetng, invocie", "receive, schedule, meeting, invoice"],
])("reads %s as it is meant", (typed, meant) => {
  const corrected = correctTypos(typed);
  expect(corrected.text).toBe(meant);
  expect(corrected.typed(meant)).toBe(typed);
});

it.each([
  "Mai Calender and Priya Unred",
  "write to calender@x.example, see https://tmrw.example/unred",
  "what's new in #calender",
  "book a massage, rely on it, scheduled, sent, older",
  "teal, sand, form, later, dates",
])("leaves names, addresses, channels, links and other words: %s", (words) => {
  expect(correctTypos(words).text).toBe(words);
});

it("gives a piece back as it was typed", () => {
  const { text, typed } = correctTypos("email eva@x.example saying adn meetng is tmrw");
  expect(text).toBe("email eva@x.example saying and meeting is tomorrow");
  expect(typed("and meeting is tomorrow")).toBe("adn meetng is tmrw");
  expect(typed("not in the text")).toBe("not in the text");
});
