import { expect, test } from "vitest";
import {
  withToolResults,
  assistantMessage,
  only,
  streamParts,
} from "./assistant-message.fixture.ts";
import { chooseModel } from "./choose-model.ts";
import { startWireServer, typedEvents } from "./wire-server.fixture.ts";

const start = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-5",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 25,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 4,
    },
  },
};
const block = (index: number, content_block: object, ...deltas: readonly object[]) => [
  { type: "content_block_start", index, content_block },
  ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
  { type: "content_block_stop", index },
];
const stop = (reason: string) => [
  {
    type: "message_delta",
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: 40 },
  },
  { type: "message_stop" },
];

const callMessage = {
  body: typedEvents(
    start,
    { type: "ping" },
    ...block(
      0,
      { type: "thinking", thinking: "", signature: "" },
      { type: "thinking_delta", thinking: "A product " },
      { type: "thinking_delta", thinking: "is needed." },
      { type: "signature_delta", signature: "EqQBsig" },
    ),
    ...block(1, { type: "redacted_thinking", data: "EmwKhidden" }),
    ...block(
      2,
      { type: "text", text: "" },
      { type: "text_delta", text: "Let me " },
      { type: "text_delta", text: "see." },
    ),
    ...block(
      3,
      { type: "tool_use", id: "toolu_1", name: "calculator", input: {} },
      { type: "input_json_delta", partial_json: "" },
      { type: "input_json_delta", partial_json: '{"expression": ' },
      { type: "input_json_delta", partial_json: '"6 * 7"}' },
    ),
    ...stop("tool_use"),
  ),
};
const textMessage = {
  body: typedEvents(
    start,
    ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "It is 42." }),
    ...stop("end_turn"),
  ),
};

const choose = (url: string, model = "anthropic/claude-sonnet-5") =>
  chooseModel({ model, anthropicApiKey: "key-2", anthropicBaseUrl: `${url}/v1` }).model;

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
    only(parts, "tool-call").map((part) => [
      part.toolCallId,
      part.toolName,
      JSON.parse(part.input),
    ]),
  ).toEqual([["toolu_1", "calculator", { expression: "6 * 7" }]]);
  const [finish] = only(parts, "finish");
  expect(finish?.finishReason).toEqual({ unified: "tool-calls", raw: "tool_use" });
  expect(finish?.usage.inputTokens).toMatchObject({ total: 29, noCache: 25, cacheRead: 4 });
  expect(finish?.usage.outputTokens.total).toBe(40);
});

test("sends the key, the model and the maximum number of tokens", async () => {
  await using server = await startWireServer(callMessage);
  await streamParts(choose(server.url));

  const [request] = server.requests;
  expect(request?.url).toBe("/v1/messages");
  expect(request?.headers["x-api-key"]).toBe("key-2");
  expect(request?.body).toMatchObject({
    model: "claude-sonnet-5",
    max_tokens: 1_000,
    stream: true,
  });
});

test("thinking arrives with providerMetadata.anthropic.signature or .redactedData and goes back on the same part", async () => {
  await using server = await startWireServer(callMessage, textMessage);
  const model = choose(server.url);
  const parts = await streamParts(model);
  expect(only(parts, "reasoning-delta").at(-1)).toEqual({
    type: "reasoning-delta",
    id: "0",
    delta: "",
    providerMetadata: { anthropic: { signature: "EqQBsig" } },
  });
  expect(only(parts, "reasoning-start").at(-1)?.providerMetadata).toEqual({
    anthropic: { redactedData: "EmwKhidden" },
  });

  await streamParts(model, withToolResults(assistantMessage(parts)));
  expect(server.requests[1]?.body.messages[1].content).toEqual([
    { type: "thinking", thinking: "A product is needed.", signature: "EqQBsig" },
    { type: "redacted_thinking", data: "EmwKhidden" },
    { type: "text", text: "Let me see." },
    { type: "tool_use", id: "toolu_1", name: "calculator", input: { expression: "6 * 7" } },
  ]);
  expect(server.requests[1]?.body.messages[2].content).toEqual([
    {
      type: "tool_result",
      tool_use_id: "toolu_1",
      content: "42",
      cache_control: { type: "ephemeral" },
    },
  ]);
});

test("thinking without a signature is omitted, with a warning", async () => {
  await using server = await startWireServer(callMessage, textMessage);
  const model = choose(server.url);
  const message = assistantMessage(await streamParts(model));
  for (const part of message.content) delete part.providerOptions;

  const parts = await streamParts(model, withToolResults(message));
  expect(
    server.requests[1]?.body.messages[1].content.map((part: { type: string }) => part.type),
  ).toEqual(["text", "tool_use"]);
  expect(only(parts, "stream-start")[0]?.warnings).not.toHaveLength(0);
});

const ephemeral = { type: "ephemeral" };

test("asks to cache the tools, the system prompt and everything up to the last message", async () => {
  await using server = await startWireServer(callMessage, textMessage);
  const model = choose(server.url);
  const parts = await streamParts(model);
  await streamParts(model, withToolResults(assistantMessage(parts)));

  const [first, second] = server.requests.map(({ body }) => body);
  expect(first.tools).toMatchObject([{ name: "calculator", cache_control: ephemeral }]);
  expect(first.system).toMatchObject([{ type: "text", cache_control: ephemeral }]);
  expect(first.messages.at(-1).content.at(-1)).toMatchObject({ cache_control: ephemeral });
  expect(second.messages.at(-1).content.at(-1)).toMatchObject({
    type: "tool_result",
    cache_control: ephemeral,
  });
  expect(JSON.stringify(second).match(/cache_control/g)).toHaveLength(3);
});

test("does not cache a call without tools, which has no next step", async () => {
  await using server = await startWireServer(textMessage);
  const prompt = [{ role: "user" as const, content: [{ type: "text" as const, text: "hi" }] }];
  const { stream } = await choose(server.url).doStream({ prompt, maxOutputTokens: 100 });
  for await (const _ of stream);
  expect(JSON.stringify(server.requests[0]?.body)).not.toContain("cache_control");
});

test("reports what was written to the cache, and has a price for it", async () => {
  const usage = { ...start.message.usage, cache_creation_input_tokens: 100 };
  const written = { ...start, message: { ...start.message, usage } };
  await using server = await startWireServer({
    body: typedEvents(written, ...block(0, { type: "text", text: "" }), ...stop("end_turn")),
  });
  const [finish] = only(await streamParts(choose(server.url)), "finish");
  expect(finish?.usage.inputTokens).toMatchObject({
    total: 129,
    noCache: 25,
    cacheRead: 4,
    cacheWrite: 100,
  });
  const priced = (modelDetails = "") =>
    chooseModel({ model: "anthropic/claude-sonnet-5", anthropicApiKey: "k", modelDetails }).price;
  expect(priced()).toMatchObject({
    inputMicrousdPerMillion: 2_000_000,
    cacheWriteMicrousdPerMillion: 2_500_000,
  });
  expect(priced("anthropic/claude-sonnet-5 price=4/8")).toMatchObject({
    cacheWriteMicrousdPerMillion: 5_000_000,
  });
});

test("a model that binds thinking to the history drops stale blocks", async () => {
  await using server = await startWireServer(textMessage);
  await streamParts(choose(server.url, "claude-sonnet-5-5"));
  await streamParts(choose(server.url, "claude-sonnet-5"));

  expect(server.requests[0]?.body.thinking).toMatchObject({
    block_binding: { prefix_mismatch_behavior: "drop_block" },
  });
  expect(server.requests[0]?.headers["anthropic-beta"]).toContain("thinking-binding-controls");
  expect(server.requests[1]?.body.thinking).toBeUndefined();
});

test("an overload in the first event of a 200 response is an APICallError", async () => {
  await using server = await startWireServer({
    body: typedEvents({
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
    } as { type: string }),
  });
  await expect(streamParts(choose(server.url))).rejects.toMatchObject({
    name: "AI_APICallError",
    statusCode: 529,
    isRetryable: true,
  });
});

test("does not read its URL from the environment", async () => {
  const { fetch } = globalThis;
  const asked: string[] = [];
  globalThis.fetch = (input) => {
    asked.push(input instanceof Request ? input.url : input.toString());
    return Promise.reject(new TypeError("Not sent"));
  };
  process.env["ANTHROPIC_BASE_URL"] = "http://elsewhere.invalid/v1";
  try {
    const { model } = chooseModel({ model: "claude-sonnet-5", anthropicApiKey: "key-2" });
    await expect(
      model.doStream({ prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }] }),
    ).rejects.toThrow();
    expect(asked).toEqual(["https://api.anthropic.com/v1/messages"]);
  } finally {
    delete process.env["ANTHROPIC_BASE_URL"];
    globalThis.fetch = fetch;
  }
});
