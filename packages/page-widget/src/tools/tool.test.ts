import { describe, expect, it } from "vitest";
import { checkArgs, idArg, schemaOf } from "./tool.ts";
import { createToolNames, kebab } from "./tool-names.ts";

describe("checkArgs", () => {
  const schema = schemaOf(
    {
      coordinate: { type: "string" },
      event: { type: "string", enum: ["click", "hover"] },
      counts: { type: "array", items: { type: "integer" } },
    },
    ["coordinate"],
  );

  it("accepts what the schema describes", () => {
    expect(checkArgs(schema, { coordinate: "e1", event: "hover", counts: [1, 2] })).toBeUndefined();
  });

  it.each([
    [{}, 'args lacks "coordinate".'],
    [{ coordinate: 3 }, "args.coordinate must be of type string."],
    [{ coordinate: "e1", event: "drag" }, "args.event must be one of click, hover."],
    [{ coordinate: "e1", counts: [1, 1.5] }, "args.counts[1] must be of type integer."],
    [{ coordinate: "e1", other: 1 }, 'args has no "other". It has: coordinate, event, counts.'],
  ])("names what is wrong with %j", (args, problem) => {
    expect(checkArgs(schema, args)).toBe(problem);
  });

  it("does not take a member of every object for a property", () => {
    expect(checkArgs(schema, { coordinate: "e1", constructor: 1 })).toContain('no "constructor"');
  });
});

describe("tool names", () => {
  it("keeps the name of a thing, and numbers others that want it", () => {
    const names = createToolNames(["page_read"]);
    expect(names.nameFor("a", "click-add")).toBe("click-add");
    expect(names.nameFor("b", "click-add")).toBe("click-add-2");
    expect(names.nameFor("a", "click-add")).toBe("click-add");
    expect(names.nameFor("c", "page_read")).toBe("page_read-2");
  });

  it("keeps names within 64 characters", () => {
    const names = createToolNames([]);
    const long = "x".repeat(90);
    expect(names.nameFor("a", long)).toHaveLength(64);
    expect(names.nameFor("b", long).length).toBeLessThanOrEqual(64);
  });

  it.each([
    ["Add to cart", "add-to-cart"],
    ["addToCart", "add-to-cart"],
    ["Öffnen, bitte!", "offnen-bitte"],
    ["削除", ""],
  ])("turns %s into %s", (text, name) => {
    expect(kebab(text)).toBe(name);
  });
});

it("reads an id with its brackets", () => {
  expect(idArg("[e12]")).toBe("e12");
});
