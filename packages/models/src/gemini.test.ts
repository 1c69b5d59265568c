import { expect, test } from "vitest";
import {
  withToolResults,
  assistantMessage,
  only,
  streamParts,
} from "./assistant-message.fixture.ts";
import { chooseModel } from "./choose-model.ts";
import { dataEvents, startWireServer } from "./wire-server.fixture.ts";

const chunk = (parts: unknown[], rest: object = {}) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...rest }],
  usageMetadata: {
    promptTokenCount: 30,
    cachedContentTokenCount: 12,
    candidatesTokenCount: 12,
    thoughtsTokenCount: 5,
    totalTokenCount: 47,
  },
  modelVersion: "gemini-3.8-flash",
  responseId: "resp-1",
});

const callsMessage = {
  body: dataEvents(
    chunk([{ text: "Two products ", thought: true }]),
    chunk([{ text: "are needed.", thought: true }]),
    chunk([{ text: "Let me " }]),
    chunk([{ text: "see." }]),
    chunk([
      {
        functionCall: { id: "c1", name: "calculator", args: { expression: "6 * 7" } },
        thoughtSignature: "c2lnLTE=",
      },
      { functionCall: { id: "c2", name: "calculator", args: { expression: "7 * 6" } } },
    ]),
    chunk([{ text: "" }], { finishReason: "STOP" }),
  ),
};

const textMessage = {
  body: dataEvents(
    chunk([{ text: "It is 42." }]),
    chunk([{ text: "", thoughtSignature: "c2lnLXRleHQ=" }], { finishReason: "STOP" }),
  ),
};

const choose = (url: string, model = "gemini/gemini-3.8-flash") =>
  chooseModel({ model, geminiApiKey: "key-1", geminiBaseUrl: `${url}/v1beta` }).model;

test("streams text, thinking, parallel calls and usage", async () => {
  await using server = await startWireServer(callsMessage);
  const parts = await streamParts(choose(server.url));

  expect(
    only(parts, "reasoning-delta")
      .map((part) => part.delta)
      .join(""),
  ).toBe("Two products are needed.");
  expect(
    only(parts, "text-delta")
      .map((part) => part.delta)
      .join(""),
  ).toBe("Let me see.");
  expect(
    only(parts, "tool-call").map((part) => [part.toolCallId, part.toolName, part.input]),
  ).toEqual([
    ["c1", "calculator", '{"expression":"6 * 7"}'],
    ["c2", "calculator", '{"expression":"7 * 6"}'],
  ]);
  const [finish] = only(parts, "finish");
  expect(finish?.finishReason).toEqual({ unified: "tool-calls", raw: "STOP" });
  expect(finish?.usage.inputTokens).toMatchObject({ total: 30, noCache: 18, cacheRead: 12 });
  expect(finish?.usage.outputTokens).toEqual({ total: 17, text: 12, reasoning: 5 });
});

test("sends the key, the model's path and the declarations", async () => {
  await using server = await startWireServer(callsMessage);
  await streamParts(choose(server.url));

  const [request] = server.requests;
  expect(request?.url).toBe("/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse");
  expect(request?.headers["x-goog-api-key"]).toBe("key-1");
  expect(request?.body.tools[0].functionDeclarations[0].parametersJsonSchema.properties).toEqual({
    expression: { type: "string" },
  });
  expect(request?.body.generationConfig.maxOutputTokens).toBe(1_000);
});

test("a call's signature arrives as providerMetadata.google.thoughtSignature and goes back on the same part", async () => {
  await using server = await startWireServer(callsMessage, textMessage);
  const model = choose(server.url);
  const parts = await streamParts(model);
  expect(only(parts, "tool-call").map((part) => part.providerMetadata)).toEqual([
    { google: { thoughtSignature: "c2lnLTE=" } },
    undefined,
  ]);

  await streamParts(model, withToolResults(assistantMessage(parts)));
  expect(server.requests[1]?.body.contents[1]).toEqual({
    role: "model",
    parts: [
      { text: "Two products are needed.", thought: true },
      { text: "Let me see." },
      {
        functionCall: { id: "c1", name: "calculator", args: { expression: "6 * 7" } },
        thoughtSignature: "c2lnLTE=",
      },
      { functionCall: { id: "c2", name: "calculator", args: { expression: "7 * 6" } } },
    ],
  });
  expect(server.requests[1]?.body.contents[2].parts[0].functionResponse).toEqual({
    id: "c1",
    name: "calculator",
    response: { name: "calculator", content: "42" },
  });
});

test("a text's signature arrives on an empty last delta and goes back with the text", async () => {
  await using server = await startWireServer(textMessage);
  const model = choose(server.url);
  const message = assistantMessage(await streamParts(model));

  await streamParts(model, [
    ...withToolResults(message).slice(0, 3),
    { role: "user", content: [{ type: "text", text: "Thanks" }] },
  ]);
  expect(server.requests[1]?.body.contents[1].parts).toEqual([
    { text: "It is 42.", thoughtSignature: "c2lnLXRleHQ=" },
  ]);
});

test("the provider replaces a lost signature with Google's skip token and only warns", async () => {
  await using server = await startWireServer(callsMessage, textMessage);
  const model = choose(server.url);
  const message = assistantMessage(await streamParts(model));
  for (const part of message.content) delete part.providerOptions;

  const parts = await streamParts(model, withToolResults(message));
  expect(server.requests[1]?.body.contents[1].parts[2].thoughtSignature).toBe(
    "skip_thought_signature_validator",
  );
  expect(only(parts, "stream-start")[0]?.warnings).toHaveLength(1);
});
