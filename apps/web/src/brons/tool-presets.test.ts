import { expect, it } from "vitest";
import { isChoosable, presetOf, presetTools } from "./tool-presets.ts";

const tools = [
  { name: "clock", sideEffect: false },
  { name: "gmail_search", sideEffect: false },
  { name: "gmail_draft_create", sideEffect: true },
  { name: "gmail_send", sideEffect: true },
  { name: "calendar_event_create", sideEffect: true },
];

it("gives each preset its tools, and the basic ones always", () => {
  expect(presetTools("everything", tools)).toBeNull();
  expect(presetTools("drafts", tools)).toEqual(["clock", "gmail_search", "gmail_draft_create"]);
  expect(presetTools("read", tools)).toEqual(["clock", "gmail_search"]);
});

it("offers a choice only about tools that matter to an owner", () => {
  expect(tools.filter(isChoosable).map(({ name }) => name)).not.toContain("clock");
});

it("names the preset of a Bron, whatever basic tools it has", () => {
  expect(presetOf(null, tools)).toBe("everything");
  expect(presetOf(["gmail_search", "gmail_draft_create"], tools)).toBe("drafts");
  expect(presetOf(["clock", "gmail_search"], tools)).toBe("read");
  expect(presetOf(["gmail_send"], tools)).toBe("custom");
  expect(presetOf([], tools)).toBe("custom");
  // All tools of today, but no new ones.
  expect(
    presetOf(
      tools.map(({ name }) => name),
      tools,
    ),
  ).toBe("custom");
});
