import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { expect, test } from "vitest";
import { decide } from "./decide.ts";
import { startDemoModel } from "./server.ts";
import type { Content, GenerateRequest } from "./wire.ts";

const calculator = {
  name: "calculator",
  parametersJsonSchema: {
    type: "object",
    properties: { expression: { type: "string" } },
    required: ["expression"],
  },
};
const user = (text: string): Content => ({ role: "user", parts: [{ text }] });
const model = (text: string): Content => ({ role: "model", parts: [{ text }] });
const call = (expression: string): Content => ({
  role: "model",
  parts: [{ functionCall: { name: "calculator", args: { expression } } }],
});
const result = (value: number): Content => ({
  role: "user",
  parts: [
    { functionResponse: { name: "calculator", response: { name: "calculator", content: value } } },
  ],
});
const newTask = user("[NEW TASK]\nThe messages above are the earlier conversation.");

async function respond(...contents: Content[]) {
  const request: GenerateRequest = { contents, tools: [{ functionDeclarations: [calculator] }] };
  const decision = await decide("gemini-demo", request, {});
  if ("error" in decision || !("text" in decision.response || "calls" in decision.response))
    throw new TypeError("no message");
  const { text, calls = [] } = decision.response;
  return { text, asked: calls.map(({ args }) => args["expression"]) };
}

test("finds the task after a note, even if an earlier task got no message", async () => {
  expect(await respond(user("What is 1+1?"), newTask, user("What is 2+3?"))).toMatchObject({
    asked: ["2+3"],
  });
});

test("finds the task after the model's last message if there is no note", async () => {
  const earlier = [user("What is 1+1?"), model("1+1 = 2")];
  expect(await respond(...earlier, user("What is 2+3?"))).toMatchObject({ asked: ["2+3"] });
});

test("finishes the task before it turns to what the user said meanwhile", async () => {
  const contents = [user("What is 2+3?"), user("What is 4*5?")];
  expect(await respond(...contents)).toMatchObject({ asked: ["2+3"] });
  const first = [user("What is 2+3?"), call("2+3"), result(5), user("What is 4*5?")];
  expect(await respond(...first)).toMatchObject({ asked: ["4*5"] });
  const { text } = await respond(...first, call("4*5"), result(20));
  expect(text).toMatch(/5[^]*20/);
});

test("says that it can't do what the user said meanwhile, after the task", async () => {
  const { text } = await respond(
    user("What is 2+3?"),
    call("2+3"),
    result(5),
    user("In French, please"),
  );
  expect(text).toMatch(/= 5[^]*I can't do "In French" in demo mode/);
});

test("stops when the user says so", async () => {
  const { text, asked } = await respond(user("What is 2+3?"), user("Stop, that's enough"));
  expect(asked).toEqual([]);
  expect(text).toContain("so I did nothing more");
});

test("responds to an auxiliary call over the wire with JSON that matches its schema", async () => {
  const server = await startDemoModel();
  try {
    const schema = {
      type: "object" as const,
      properties: {
        kind: { enum: ["a", "b"] },
        names: { type: "array" as const, items: { type: "string" as const } },
        count: { type: "integer" as const, minimum: 3 },
        isDone: { type: "boolean" as const },
        note: { type: "string" as const },
      },
      required: ["kind", "names", "count", "isDone"],
    };
    const { content } = await createGoogleGenerativeAI({ baseURL: server.url, apiKey: "demo" })(
      "gemini-demo",
    ).doGenerate({
      prompt: [
        {
          role: "system",
          content: `[AUXILIARY CALL topic]\nName it.\nWrite only JSON:\n${JSON.stringify(schema)}`,
        },
        { role: "user", content: [{ type: "text", text: "do it" }] },
      ],
      responseFormat: { type: "json", schema },
    });
    const [part] = content;
    expect(JSON.parse(part?.type === "text" ? part.text : "")).toEqual({
      kind: "a",
      names: [],
      count: 3,
      isDone: false,
    });
  } finally {
    await server.close();
  }
});

test("refuses other requests for JSON", async () => {
  const request = {
    contents: [user("do it")],
    generationConfig: { responseMimeType: "application/json" },
  };
  expect(await decide("gemini-demo", request, {})).toMatchObject({ error: { code: 400 } });
});
