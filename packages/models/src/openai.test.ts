import { expect, test } from "vitest";
import {
  withToolResults,
  assistantMessage,
  only,
  streamParts,
} from "./assistant-message.fixture.ts";
import { chooseModel } from "./choose-model.ts";
import { renameMaxTokens } from "./openai.ts";
import { dataEvents, startWireServer } from "./wire-server.fixture.ts";

const chunk = (delta: object, finish_reason: string | null = null) => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1_700_000_000,
  model: "qwen3",
  choices: [{ index: 0, delta, finish_reason }],
});

const callMessage = {
  body: dataEvents(
    chunk({ role: "assistant", content: "" }),
    chunk({ reasoning_content: "A product " }),
    chunk({ reasoning_content: "is needed." }),
    chunk({ content: "Let me " }),
    chunk({ content: "see." }),
    chunk({
      tool_calls: [
        {
          index: 0,
          id: "call_1",
          type: "function",
          function: { name: "calculator", arguments: "" },
          extra_content: { google: { thought_signature: "c2ln" } },
        },
      ],
    }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '{"expression":' } }] }),
    chunk({ tool_calls: [{ index: 0, function: { arguments: '"6 * 7"}' } }] }),
    chunk({}, "tool_calls"),
    {
      ...chunk({}),
      choices: [],
      usage: {
        prompt_tokens: 20,
        prompt_tokens_details: { cached_tokens: 8 },
        completion_tokens: 9,
        total_tokens: 29,
        completion_tokens_details: { reasoning_tokens: 4 },
      },
    },
    "[DONE]",
  ),
};
const textMessage = {
  body: dataEvents(chunk({ role: "assistant", content: "It is 42." }), chunk({}, "stop"), "[DONE]"),
};

const choose = (url: string) =>
  chooseModel({ model: "openai/qwen3", openaiApiKey: "key-3", openaiBaseUrl: `${url}/v1/` }).model;

test("streams text, thinking, a call and usage", async () => {
  await using server = await startWireServer(callMessage);
  const parts = await streamParts(choose(server.url));

  expect(
    only(parts, "reasoning-delta")
      .map((part) => part.delta)
      .join(""),
  ).toBe("A product is needed.");
  expect(
    only(parts, "text-delta")
      .map((part) => part.delta)
      .join(""),
  ).toBe("Let me see.");
  expect(
    only(parts, "tool-call").map((part) => [part.toolCallId, part.toolName, part.input]),
  ).toEqual([["call_1", "calculator", '{"expression":"6 * 7"}']]);
  const [finish] = only(parts, "finish");
  expect(finish?.finishReason).toEqual({ unified: "tool-calls", raw: "tool_calls" });
  expect(finish?.usage.inputTokens).toMatchObject({ total: 20, noCache: 12, cacheRead: 8 });
  expect(finish?.usage.outputTokens).toMatchObject({ total: 9, reasoning: 4 });
});

test("sends the key and requests usage", async () => {
  await using server = await startWireServer(callMessage);
  await streamParts(choose(server.url));

  const [request] = server.requests;
  expect(request?.url).toBe("/v1/chat/completions");
  expect(request?.headers.authorization).toBe("Bearer key-3");
  expect(request?.body).toMatchObject({
    model: "qwen3",
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 1_000,
  });
});

test("thinking goes back as reasoning_content, and a Gemini signature as providerMetadata.openai.thoughtSignature", async () => {
  await using server = await startWireServer(callMessage, textMessage);
  const model = choose(server.url);
  const parts = await streamParts(model);
  expect(only(parts, "tool-call")[0]?.providerMetadata).toEqual({
    openai: { thoughtSignature: "c2ln" },
  });

  await streamParts(model, withToolResults(assistantMessage(parts)));
  expect(server.requests[1]?.body.messages.slice(2)).toEqual([
    {
      role: "assistant",
      content: "Let me see.",
      reasoning_content: "A product is needed.",
      tool_calls: [
        {
          id: "call_1",
          type: "function",
          function: { name: "calculator", arguments: '{"expression":"6 * 7"}' },
          extra_content: { google: { thought_signature: "c2ln" } },
        },
      ],
    },
    { role: "tool", tool_call_id: "call_1", content: "42" },
  ]);
});

test("a server without a key gets no authorization header", async () => {
  await using server = await startWireServer(textMessage);
  await streamParts(
    chooseModel({ model: "openai/qwen3", openaiBaseUrl: `${server.url}/v1` }).model,
  );
  expect(server.requests[0]?.headers.authorization).toBeUndefined();
});

test("requests to OpenAI's own URL use max_completion_tokens", () => {
  expect(renameMaxTokens({ model: "gpt", max_tokens: 5 })).toEqual({
    model: "gpt",
    max_completion_tokens: 5,
  });
  expect(renameMaxTokens({ model: "gpt" })).toEqual({ model: "gpt" });
});
