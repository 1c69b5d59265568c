import type { JsonObject, JsonValue } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { BronError } from "../../errors.ts";
import { defineTool } from "../define-tool.ts";
import { validateValue } from "./validate-value.ts";

const invite: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  required: ["title", "attendees"],
  additionalProperties: false,
  properties: {
    title: { type: "string", minLength: 1, maxLength: 5 },
    when: { type: "string", format: "date-time" },
    minutes: { type: "integer", minimum: 5, multipleOf: 5 },
    kind: { enum: ["call", "visit"] },
    attendees: { type: "array", minItems: 1, uniqueItems: true, items: { $ref: "#/$defs/person" } },
    code: { type: "string", pattern: "^[A-Z]{2}-\\d+$" },
    where: { oneOf: [{ type: "string" }, { type: "object", required: ["room"] }] },
  },
  $defs: {
    person: {
      type: "object",
      required: ["email"],
      properties: { email: { type: "string", format: "email" } },
    },
  },
};
const eva = { email: "eva@example.com" };
const base = { title: "Lunch", attendees: [eva] };

describe("values of a JSON Schema", () => {
  it.for<[JsonValue, string[]]>([
    [base, []],
    [{ ...base, minutes: 30, kind: "call", code: "AB-12", where: { room: 4 } }, []],
    [[], ["arguments: must be object, not array"]],
    [{ title: "Lunch" }, ["attendees: is required"]],
    [
      { ...base, attendees: [eva, { email: "max@example.com" }, { email: "nobody" }] },
      ["attendees[2].email: must be a valid email"],
    ],
    [{ ...base, attendees: [eva, {}] }, ["attendees[1].email: is required"]],
    [{ ...base, attendees: [eva, eva] }, ["attendees: must not repeat items"]],
    [{ ...base, attendees: [] }, ["attendees: must have at least 1 items"]],
    [{ ...base, minutes: 12 }, ["minutes: must be a multiple of 5"]],
    [{ ...base, minutes: 5.5 }, ["minutes: must be integer, not number"]],
    [{ ...base, kind: "trip" }, ['kind: must be "call" or "visit"']],
    [{ ...base, code: "ab-12" }, ["code: must match ^[A-Z]{2}-\\d+$"]],
    [{ ...base, title: "a long one" }, ["title: must have at most 5 characters"]],
    [{ ...base, when: "tomorrow" }, ["when: must be a valid date-time"]],
    [{ ...base, more: 1 }, ["more: is not allowed"]],
    [{ ...base, where: {} }, ["where: must be string, not object"]],
  ])("%j: %j", ([value, problems]) => {
    expect(validateValue(invite, value)).toEqual(problems);
  });

  it.for<[string, JsonObject, JsonValue, boolean]>([
    [
      "tuples of draft-07",
      { items: [{ type: "string" }], additionalItems: false },
      ["a", 1],
      false,
    ],
    [
      "tuples of 2020-12",
      { prefixItems: [{ type: "string" }], items: { type: "number" } },
      ["a", 1],
      true,
    ],
    ["contains", { contains: { const: 1 }, maxContains: 1 }, [1, 1], false],
    ["contains without a match", { contains: { const: 1 } }, [2], false],
    ["const of an object", { const: { a: [1, { b: null }] } }, { a: [1, { b: null }] }, true],
    ["not", { not: { type: "string" } }, "x", false],
    ["if and else", { if: { type: "string" }, else: { minimum: 3 } }, 2, false],
    ["dependencies of draft-07", { dependencies: { a: ["b"] } }, { a: 1 }, false],
    ["dependentSchemas", { dependentSchemas: { a: { required: ["b"] } } }, { a: 1, b: 1 }, true],
    [
      "patternProperties",
      { patternProperties: { "^x-": { type: "string" } } },
      { "x-a": 1 },
      false,
    ],
    ["propertyNames", { propertyNames: { maxLength: 2 } }, { abc: 1 }, false],
    ["exclusive maximum", { exclusiveMaximum: 3 }, 3, false],
    ["exclusive minimum", { exclusiveMinimum: 3 }, 3, false],
    [
      "no pattern that could take long, nor fields that it may allow",
      { patternProperties: { "^(a+)+$": false }, additionalProperties: false },
      { aaa: 1 },
      true,
    ],
    [
      "a field named like a member of every object",
      { properties: {}, additionalProperties: false },
      JSON.parse('{ "__proto__": 1 }') as JsonObject,
      false,
    ],
    [
      "references to names with a slash",
      { $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "string" } } },
      1,
      false,
    ],
    ["oneOf with two matches", { oneOf: [{ minimum: 1 }, { maximum: 3 }] }, 2, false],
    ["anyOf", { anyOf: [{ type: "string" }, { type: "null" }] }, null, true],
    ["several types", { type: ["string", "null"] }, 1, false],
    ["fields of every object", { required: ["constructor", "__proto__"] }, {}, false],
    [
      "recursion",
      { $ref: "#/$defs/tree", $defs: { tree: { items: { $ref: "#/$defs/tree" }, type: "array" } } },
      [[[]], [1]],
      false,
    ],
    [
      "unknown keywords",
      { "x-note": 1, $comment: "x", unevaluatedProperties: false },
      { a: 1 },
      true,
    ],
  ])("checks %s", ([_, schema, value, isValid]) => {
    expect(validateValue(schema, value).length === 0).toBe(isValid);
  });
});

const cpuMs = (work: () => void) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};
const nest = (depth: number, inner: JsonValue, wrap: (value: JsonValue) => JsonValue) => {
  let value = inner;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
};
const both = (ref: string) => ({ anyOf: [{ $ref: ref }, { $ref: ref }, { type: "null" }] });

/** Schemas and values that keep a validator without limits busy for hours, or end it. */
const hostile: [string, JsonObject, JsonValue][] = [
  [
    "a pattern that backtracks",
    { type: "object", properties: { a: { pattern: "^(a+)+$" } } },
    { a: `${"a".repeat(50_000)}!` },
  ],
  [
    "a pattern of choices",
    { properties: { a: { pattern: `^${"(a|a)".repeat(60)}$` } } },
    { a: "a".repeat(59) },
  ],
  [
    "a pattern of options",
    { properties: { a: { pattern: `^${"a?".repeat(60)}${"a".repeat(60)}$` } } },
    { a: "a".repeat(59) },
  ],
  [
    "a pattern of repetitions",
    { properties: { a: { pattern: `${"a*".repeat(20)}b` } } },
    { a: "a".repeat(10_000) },
  ],
  ["patterns of names", { patternProperties: { "(x+x+)+y": true } }, { ["x".repeat(40)]: 1 }],
  ["a schema that is itself", { $ref: "#" }, { a: 1 }],
  [
    "two that are each other",
    {
      $ref: "#/$defs/a",
      $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { $ref: "#/$defs/a" } },
    },
    1,
  ],
  [
    "references that double at each level",
    {
      $ref: "#/$defs/n0",
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, level) => [
          `n${level}`,
          level === 39 ? false : both(`#/$defs/n${level + 1}`),
        ]),
      ),
    },
    1,
  ],
  [
    "references that double at each level of the value",
    {
      $ref: "#/$defs/n",
      $defs: { n: { allOf: [{ items: { $ref: "#/$defs/n" } }, { items: { $ref: "#/$defs/n" } }] } },
    },
    nest(60, [], (value) => [value]),
  ],
  ["a value that is too deep", { items: { $ref: "#" } }, nest(5_000, [], (value) => [value])],
  [
    "unique items, many times",
    { allOf: Array.from({ length: 1_000 }, () => ({ uniqueItems: true })) },
    Array.from({ length: 20_000 }, (_, index) => index),
  ],
  [
    "a list of values, many times",
    { items: { enum: Array.from({ length: 5_000 }, (_, index) => index) } },
    Array.from({ length: 10_000 }, () => -1),
  ],
  [
    "lengths of a long text, many times",
    { allOf: Array.from({ length: 5_000 }, () => ({ maxLength: 2_000_000 })) },
    "é".repeat(900_000),
  ],
];

describe("hostile schemas", () => {
  it.for(hostile)("%s takes a short time", ([_, schema, value]) => {
    expect(cpuMs(() => validateValue(schema, value))).toBeLessThan(1_000);
  });

  it("rejects a value that it cannot check completely", () => {
    const [, schema, value] = hostile.find(([name]) => name.includes("of the value"))!;
    expect(validateValue(schema, value)).toEqual([
      "arguments: too large or too deep to be checked by the tool's schema",
    ]);
  });

  const define = (input: JsonObject) =>
    defineTool({ name: "t", description: "", input, execute: () => null });

  it.for<[string, JsonObject]>([
    ["another address", { type: "object", properties: { a: { $ref: "https://evil.example/x" } } }],
    ["a file", { type: "object", properties: { a: { $ref: "other.json#/x" } } }],
    ["a missing part", { type: "object", properties: { a: { $ref: "#/$defs/a" } } }],
    ["a part of every object", { type: "object", properties: { a: { $ref: "#/constructor" } } }],
    ["no object", { type: "string" }],
    ["too many levels", { type: "object", not: nest(5_000, {}, (not) => ({ not })) }],
    ["too many values", { type: "object", enum: Array.from({ length: 30_000 }, () => 1) }],
  ])("are not accepted with %s", ([_, schema]) => {
    expect(() => define(schema)).toThrow(BronError);
  });

  it("do not change after a tool was defined by them", async () => {
    const schema = structuredClone(invite);
    const tool = define(schema);
    const digest = await tool.digest();
    delete schema["required"];
    expect(tool.parseInput({})).toEqual({
      ok: false,
      problems: ["title: is required", "attendees: is required"],
    });
    expect(await define(schema).digest()).not.toBe(digest);
  });
});
