import { describe, expect, it } from "vitest";
import { splitAtPassage } from "./passage.ts";

describe("a passage of a result", () => {
  it.each([
    ["is found in any case", "Pay EVE@x.example now", { find: "eve@x.example" }, 4],
    ["is the first one after the title", "eve Invoice eve", { find: "eve", after: "invoice" }, 12],
    ["may come before the title", "eve: Invoice", { find: "eve", after: "invoice" }, 0],
  ])("%s", (_, text, passage, at) => {
    const [before, found, rest] = splitAtPassage(text, passage);
    expect(before.length).toBe(at);
    expect(found.toLowerCase()).toBe(passage.find);
    expect(before + found + rest).toBe(text);
  });

  it.each([
    ["not in the text", "Hello", { find: "eve" }],
    ["not known", "Hello", {}],
  ])("leaves the text as it is when it is %s", (_, text, passage) => {
    expect(splitAtPassage(text, passage)).toEqual([text, "", ""]);
  });
});
