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
const respondedWith = (...parts: readonly Part[]) => history(ask, turn, { role: "user", parts });

test("accepts a complete exchange within a longer conversation", () => {
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

  test("names an unknown field", () => {
    expect(refusal({ contents: [ask], messages: [] })).toBe(
      'Invalid JSON payload received. Unknown name "messages": Cannot find field.',
    );
  });

  test("rejects a history that starts with the model", () => {
    expect(history(modelTurn({ text: "Hello." }), ask)).toBe(
      "Please ensure that the first turn is a user turn.",
    );
    expect(history(turn, results)).toBe(callNotAfterUser);
  });

  test("rejects a history that ends with the model", () => {
    expect(history(ask, modelTurn({ text: "Hello." }))).toContain("end with a user role");
  });

  test.each(["assistant", "system", "tool", "function", ""])("the role %j is unknown", (role) => {
    expect(history(ask, { role, parts: [{ text: "x" }] }, ask)).toBe(
      "Please use a valid role: user, model.",
    );
  });

  test("requires parts with exactly one kind of content", () => {
    expect(history({ role: "user", parts: [] })).toContain("contents.parts must not be empty");
    expect(history({ role: "user" })).toContain("contents.parts must not be empty");
    expect(history({ role: "user", parts: [{}] })).toContain("required oneof field 'data'");
    expect(history({ role: "user", parts: [{ text: "x", inlineData: {} }] })).toContain(
      "required oneof field 'data'",
    );
  });

  test("requires objects for arguments and responses", () => {
    const call = { functionCall: { name: "clock", args: "now" } };
    expect(history(ask, { role: "model", parts: [call] }, results)).toContain(
      "google.protobuf.Struct",
    );
    expect(
      respondedWith(first, {
        functionResponse: { name: "clock", response: "noon" },
      } as unknown as Part),
    ).toContain("google.protobuf.Struct");
  });

  test("requires text for the system instruction", () => {
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

  test("checks the range of settings", () => {
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
  test("rejects a call without a response", () => {
    expect(history(ask, turn)).toBe(wrongNumber);
    expect(history(ask, turn, user("And?"))).toBe(wrongNumber);
  });

  test("rejects a missing, extra or repeated response", () => {
    expect(respondedWith(first)).toBe(wrongNumber);
    expect(respondedWith(first, second, second)).toBe(wrongNumber);
    expect(respondedWith(first, first)).toBe(wrongNumber);
  });

  test("rejects a response with another name or id", () => {
    const { id = "" } = second.functionResponse ?? {};
    expect(
      respondedWith(first, { functionResponse: { id, name: "calculator", response: {} } }),
    ).toBe(wrongNumber);
    expect(
      respondedWith(first, { functionResponse: { id: "other", name: "clock", response: {} } }),
    ).toBe(wrongNumber);
  });

  test("rejects responses in another order", () => {
    expect(respondedWith(second, first)).toBe(wrongNumber);
  });

  test("rejects responses that are split over two turns", () => {
    expect(
      history(ask, turn, { role: "user", parts: [first] }, { role: "user", parts: [second] }),
    ).toBe(wrongNumber);
  });

  test("accepts text after a response in the same turn, and a response without an id", () => {
    expect(respondedWith(first, second, { text: "Go on." })).toBeUndefined();
    expect(
      respondedWith(
        ...[first, second].map(({ functionResponse }) => ({
          functionResponse: { name: functionResponse?.name ?? "", response: {} },
        })),
      ),
    ).toBeUndefined();
  });

  test("rejects a response without a call", () => {
    expect(history(results)).toBe(noCallBefore);
    expect(history(ask, modelTurn({ text: "Hm." }), results)).toBe(noCallBefore);
    expect(history(ask, turn, results, results)).toBe(noCallBefore);
    expect(history(ask, { role: "model", parts: results.parts })).toBe(noCallBefore);
  });

  test("rejects a call right after a model turn, and a call by the user", () => {
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

  test("requires one on the first call of a turn only", () => {
    expect(signature).toMatch(/^[A-Za-z0-9+/=]{20,}$/);
    expect(turn.parts.filter((part) => part.thoughtSignature !== undefined)).toHaveLength(1);
  });

  test("rejects a lost one with the call's name and position", () => {
    expect(withCall({ functionCall })).toContain(missing);
    expect(withCall({ functionCall })).toContain(
      "function call `default_api:calculator` , position 2.",
    );
    expect(withCall({ functionCall, thoughtSignature: "" })).toContain(missing);
  });

  test("rejects a lost one in earlier turns too", () => {
    expect(withCall({ functionCall }, modelTurn({ text: "42" }), user("Thanks"))).toContain(
      missing,
    );
  });

  test("rejects an altered one", () => {
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

  test("rejects one of another call", () => {
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

  test("requires the first call to stay first", () => {
    const calls = turn.parts.filter((part) => part.functionCall !== undefined).toReversed();
    expect(
      history(ask, { role: "model", parts: calls }, { role: "user", parts: [second, first] }),
    ).toContain(missing);
  });

  test("does not accept Google's skip word for its own calls", () => {
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

  test("requires the skip word for another model's call in the current turn only", () => {
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

  test("accepts a declaration without a schema", () => {
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

  test("rejects duplicate names across tools", () => {
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

  test("parametersJsonSchema accepts JSON Schema of an object", () => {
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
    expect(declare({ name: "f", parameters: schema })).toContain('Unknown name "parameters"');
  });

  test("names unknown fields of a tool or a declaration", () => {
    expect(declare({ name: "f", inputSchema: {} })).toContain('Unknown name "inputSchema"');
    expect(refusal({ contents: [ask], tools: [{ name: "f" }] })).toContain(
      "Unknown name \"name\" at 'tools[0]'",
    );
  });
});
