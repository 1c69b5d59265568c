import { omitUndefined } from "@bron/protocol";
import { describe, expect, test } from "vitest";
import { modelTurn, replacePart, responsesTo, user } from "./history.fixture.ts";
import { validateRequest } from "./validate-request.ts";
import type { Content, Part } from "./wire.ts";

function refusal(body: unknown): string | undefined {
  const checked = validateRequest(body);
  return "error" in checked ? checked.error.message : undefined;
}
const history = (...contents: readonly unknown[]) => refusal({ contents });

const wrongNumber =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
const noCallBefore =
  "Please ensure that function response turn comes immediately after a function call turn.";
const callNotAfterUser =
  "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";

const ask = user("What is 6 * 7, and the time?");
const turn = modelTurn({
  thought: "Two calls.",
  calls: [
    { name: "calculator", args: { expression: "6 * 7" } },
    { name: "clock", args: {} },
  ],
});
const results = responsesTo(turn);
const [first, second] = results.parts as [Part, Part];
const answeredWith = (...parts: readonly Part[]) => history(ask, turn, { role: "user", parts });

test("a whole exchange passes, with more of the conversation around it", () => {
  expect(history(ask, turn, results)).toBeUndefined();
  expect(
    history(
      user("Hi"),
      modelTurn({ text: "Hello." }),
      ask,
      turn,
      results,
      modelTurn({ text: "42" }),
      user("Thanks"),
    ),
  ).toBeUndefined();
});

describe("contents", () => {
  test.each([[{}], [{ contents: [] }], [{ contents: "hi" }]])("%j has none", (body) => {
    expect(refusal(body)).toContain("contents is not specified");
  });

  test.each([["a string"], [null], [[]]])("a body of %j is refused", (body) => {
    expect(refusal(body)).toContain("Invalid JSON payload");
  });

  test("an unknown field is named", () => {
    expect(refusal({ contents: [ask], messages: [] })).toBe(
      'Invalid JSON payload received. Unknown name "messages": Cannot find field.',
    );
  });

  test("the model cannot begin", () => {
    expect(history(modelTurn({ text: "Hello." }), ask)).toBe(
      "Please ensure that the first turn is a user turn.",
    );
    expect(history(turn, results)).toBe(callNotAfterUser);
  });

  test("the model cannot have the last word", () => {
    expect(history(ask, modelTurn({ text: "Hello." }))).toContain("end with a user role");
  });

  test.each(["assistant", "system", "tool", "function", ""])("the role %j is unknown", (role) => {
    expect(history(ask, { role, parts: [{ text: "x" }] }, ask)).toBe(
      "Please use a valid role: user, model.",
    );
  });

  test("parts must be there and hold one thing each", () => {
    expect(history({ role: "user", parts: [] })).toContain("contents.parts must not be empty");
    expect(history({ role: "user" })).toContain("contents.parts must not be empty");
    expect(history({ role: "user", parts: [{}] })).toContain("required oneof field 'data'");
    expect(history({ role: "user", parts: [{ text: "x", inlineData: {} }] })).toContain(
      "required oneof field 'data'",
    );
  });

  test("arguments and responses are objects", () => {
    const call = { functionCall: { name: "clock", args: "now" } };
    expect(history(ask, { role: "model", parts: [call] }, results)).toContain(
      "google.protobuf.Struct",
    );
    expect(
      answeredWith(first, {
        functionResponse: { name: "clock", response: "noon" },
      } as unknown as Part),
    ).toContain("google.protobuf.Struct");
  });

  test("a system instruction is text", () => {
    expect(
      refusal({ contents: [ask], systemInstruction: { parts: [{ text: "Be brief." }] } }),
    ).toBeUndefined();
    expect(refusal({ contents: [ask], systemInstruction: { parts: [] } })).toContain(
      "must not be empty",
    );
    expect(refusal({ contents: [ask], systemInstruction: "Be brief." })).toContain(
      "must not be empty",
    );
  });

  test("settings are in their range", () => {
    expect(
      refusal({ contents: [ask], generationConfig: { maxOutputTokens: 100, temperature: 1 } }),
    ).toBeUndefined();
    expect(refusal({ contents: [ask], generationConfig: { maxOutputTokens: 0 } })).toContain(
      "max_output_tokens",
    );
    expect(refusal({ contents: [ask], generationConfig: { maxOutputTokens: "many" } })).toContain(
      "max_output_tokens",
    );
    expect(refusal({ contents: [ask], generationConfig: { temperature: 3 } })).toContain(
      "temperature",
    );
  });
});

describe("calls and responses", () => {
  test("a call without any response is refused", () => {
    expect(history(ask, turn)).toBe(wrongNumber);
    expect(history(ask, turn, user("And?"))).toBe(wrongNumber);
  });

  test("a missing, an extra or a repeated response is refused", () => {
    expect(answeredWith(first)).toBe(wrongNumber);
    expect(answeredWith(first, second, second)).toBe(wrongNumber);
    expect(answeredWith(first, first)).toBe(wrongNumber);
  });

  test("a response under another name or id is refused", () => {
    const { id = "" } = second.functionResponse ?? {};
    expect(
      answeredWith(first, { functionResponse: { id, name: "calculator", response: {} } }),
    ).toBe(wrongNumber);
    expect(
      answeredWith(first, { functionResponse: { id: "other", name: "clock", response: {} } }),
    ).toBe(wrongNumber);
  });

  test("responses in another order are refused", () => {
    expect(answeredWith(second, first)).toBe(wrongNumber);
  });

  test("responses in two turns are refused", () => {
    expect(
      history(ask, turn, { role: "user", parts: [first] }, { role: "user", parts: [second] }),
    ).toBe(wrongNumber);
  });

  test("a response may be followed by words in the same turn, and may leave its id out", () => {
    expect(answeredWith(first, second, { text: "Go on." })).toBeUndefined();
    expect(
      answeredWith(
        ...[first, second].map(({ functionResponse }) => ({
          functionResponse: { name: functionResponse?.name ?? "", response: {} },
        })),
      ),
    ).toBeUndefined();
  });

  test("a response without a call is refused", () => {
    expect(history(results)).toBe(noCallBefore);
    expect(history(ask, modelTurn({ text: "Hm." }), results)).toBe(noCallBefore);
    expect(history(ask, turn, results, results)).toBe(noCallBefore);
    expect(history(ask, { role: "model", parts: results.parts })).toBe(noCallBefore);
  });

  test("a call right after the model's own words in another turn, or by the user, is refused", () => {
    expect(history(ask, modelTurn({ text: "Hm." }), turn, results)).toBe(callNotAfterUser);
    expect(history({ role: "user", parts: turn.parts })).toBe(callNotAfterUser);
  });
});

describe("thought signatures", () => {
  const at = turn.parts.findIndex((part) => part.functionCall !== undefined);
  const { functionCall, thoughtSignature: signature } = turn.parts[at] as Required<
    Pick<Part, "functionCall" | "thoughtSignature">
  >;
  const withCall = (part: Part, ...after: readonly Content[]) =>
    history(...replacePart([ask, turn, results, ...after], 1, at, [part]));
  const missing = "Function call is missing a thought_signature in functionCall parts.";

  test("only the first call of a turn carries one", () => {
    expect(signature).toMatch(/^[A-Za-z0-9+/=]{20,}$/);
    expect(turn.parts.filter((part) => part.thoughtSignature !== undefined)).toHaveLength(1);
  });

  test("a lost one is refused with the call's name and place", () => {
    expect(withCall({ functionCall })).toContain(missing);
    expect(withCall({ functionCall })).toContain(
      "function call `default_api:calculator` , position 2.",
    );
    expect(withCall({ functionCall, thoughtSignature: "" })).toContain(missing);
  });

  test("a lost one is refused in earlier turns too", () => {
    expect(withCall({ functionCall }, modelTurn({ text: "42" }), user("Thanks"))).toContain(
      missing,
    );
  });

  test("an altered one is refused", () => {
    expect(
      withCall({
        functionCall,
        thoughtSignature: signature.replace(/^./, (letter) => (letter === "A" ? "B" : "A")),
      }),
    ).toBe("Corrupted thought signature.");
    expect(withCall({ functionCall, thoughtSignature: "nonsense" })).toBe(
      "Corrupted thought signature.",
    );
  });

  test("one of another call is refused", () => {
    const other =
      modelTurn({ calls: [{ name: "calculator", args: { expression: "6 * 7" } }] }).parts[0]
        ?.thoughtSignature ?? "";
    expect(withCall({ functionCall, thoughtSignature: other })).toBe(
      "Corrupted thought signature.",
    );
    expect(
      withCall({
        functionCall: { ...functionCall, id: "mine", name: "clock" },
        thoughtSignature: signature,
      }),
    ).toBe(wrongNumber);
  });

  test("the first call must keep its place before the others", () => {
    const calls = turn.parts.filter((part) => part.functionCall !== undefined).toReversed();
    expect(
      history(ask, { role: "model", parts: calls }, { role: "user", parts: [second, first] }),
    ).toContain(missing);
  });

  test("Google's skip word does not stand in for one that this model gave", () => {
    expect(
      withCall({ functionCall, thoughtSignature: "skip_thought_signature_validator" }),
    ).toContain(missing);
  });

  test("a call whose id the client replaced keeps its signature", () => {
    const renamed = { functionCall: { ...functionCall, id: "mine" }, thoughtSignature: signature };
    const [, rest] = turn.parts.filter((part) => part.functionCall !== undefined) as [Part, Part];
    const responses = {
      role: "user",
      parts: [{ functionResponse: { id: "mine", name: "calculator", response: {} } }, second],
    };
    expect(history(ask, { role: "model", parts: [renamed, rest] }, responses)).toBeUndefined();
  });

  test("another model's call needs the skip word in the current turn, and nothing in earlier ones", () => {
    const foreign = (thoughtSignature?: string): readonly Content[] => [
      ask,
      {
        role: "model",
        parts: [
          {
            functionCall: { id: "toolu_1", name: "clock", args: {} },
            ...omitUndefined({ thoughtSignature }),
          },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "toolu_1", name: "clock", response: { content: "noon" } } },
        ],
      },
    ];
    expect(history(...foreign())).toContain(missing);
    expect(history(...foreign("skip_thought_signature_validator"))).toBeUndefined();
    expect(history(...foreign("c29tZXRoaW5nIGVsc2U="))).toBe("Corrupted thought signature.");
    expect(history(...foreign(), modelTurn({ text: "Noon." }), user("Thanks"))).toBeUndefined();
  });
});

describe("function declarations", () => {
  const declare = (...functionDeclarations: readonly unknown[]) =>
    refusal({ contents: [ask], tools: [{ functionDeclarations }] });
  const parameters = (schema: unknown) => declare({ name: "f", parameters: schema });
  const property = (schema: unknown) => parameters({ type: "OBJECT", properties: { a: schema } });

  test("the subset of OpenAPI passes in any case", () => {
    expect(
      parameters({
        type: "object",
        properties: {
          a: { type: "string", enum: ["x"] },
          b: { type: "ARRAY", items: { type: "NUMBER", minimum: 1 } },
          c: { anyOf: [{ type: "STRING" }, { type: "NULL" }] },
        },
        required: ["a"],
        propertyOrdering: ["a", "b", "c"],
      }),
    ).toBeUndefined();
    expect(declare({ name: "f" })).toBeUndefined();
  });

  test.each(["1f", "", "a b", "a/b", "ü", "f".repeat(65)])("the name %j is refused", (name) => {
    expect(declare({ name })).toContain("Invalid function name");
  });

  test.each(["f", "_f", "notes.write", "notes-write", "f".repeat(64)])(
    "the name %j passes",
    (name) => {
      expect(declare({ name })).toBeUndefined();
    },
  );

  test("a name comes once, over all tools", () => {
    expect(declare({ name: "f" }, { name: "f" })).toBe("Duplicate function declaration found: f");
    expect(
      refusal({
        contents: [ask],
        tools: [
          { functionDeclarations: [{ name: "f" }] },
          { functionDeclarations: [{ name: "f" }] },
        ],
      }),
    ).toContain("Duplicate");
  });

  test.each(["$ref", "$schema", "oneOf", "allOf", "additionalProperties", "const", "$defs"])(
    "%s is unknown in parameters",
    (keyword) => {
      expect(parameters({ type: "OBJECT", [keyword]: {} })).toBe(
        `Invalid JSON payload received. Unknown name "${keyword}" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
      );
      expect(property({ type: "STRING", [keyword]: {} })).toContain("parameters.properties[a]");
    },
  );

  test.each([
    [{ type: "STRING" }, "should be of type OBJECT"],
    [{ type: "OBJECT", required: ["b"] }, "required[0]: property is not defined"],
    [{ type: "OBJECT", properties: { a: { type: ["STRING", "NULL"] } } }, "cannot start list"],
    [{ type: "OBJECT", properties: { a: { type: "DATE" } } }, 'Type), "DATE"'],
    [{ type: "OBJECT", properties: { a: {} } }, ".type'"],
    [{ type: "OBJECT", properties: { a: { type: "ARRAY" } } }, "items: missing field"],
    [
      { type: "OBJECT", properties: { a: { type: "INTEGER", enum: [1] } } },
      "only allowed for STRING",
    ],
    ["OBJECT", "Schema"],
  ])("%j is refused", (schema, message) => {
    expect(parameters(schema)).toContain(message);
  });

  test("parametersJsonSchema takes JSON Schema, of an object", () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      type: "object",
      properties: { a: { oneOf: [{ type: "string" }, { $ref: "#/$defs/b" }] } },
      $defs: { b: { type: "number" } },
    };
    expect(declare({ name: "f", parametersJsonSchema: schema })).toBeUndefined();
    expect(declare({ name: "f", parametersJsonSchema: { type: "string" } })).toContain(
      "should be of type object",
    );
    expect(
      declare({ name: "f", parametersJsonSchema: schema, parameters: { type: "OBJECT" } }),
    ).toContain("must not both be set");
  });

  test("unknown fields of a tool or a declaration are named", () => {
    expect(declare({ name: "f", inputSchema: {} })).toContain('Unknown name "inputSchema"');
    expect(refusal({ contents: [ask], tools: [{ name: "f" }] })).toContain(
      "Unknown name \"name\" at 'tools[0]'",
    );
  });
});
