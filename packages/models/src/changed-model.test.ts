import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { chooseModel } from "./choose-model.ts";
import type { ModelSettings } from "./model-settings.ts";
import { startWireServer, type WireRequest } from "./wire-server.fixture.ts";

/** A run whose first step used a model of another provider. */
const historyOf = (provider: string, data: Record<string, string>): LanguageModelV4Prompt => [
  { role: "user", content: [{ type: "text", text: "What is 6 * 7?" }] },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "I calculate.", providerOptions: { [provider]: data } },
      {
        type: "tool-call",
        toolCallId: "call-1",
        toolName: "calculator",
        input: { expression: "6*7" },
        providerOptions: { [provider]: data },
      },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "call-1",
        toolName: "calculator",
        output: { type: "text", value: "42" },
      },
    ],
  },
];

async function sentBy(
  prompt: LanguageModelV4Prompt,
  settings: (url: string) => ModelSettings,
): Promise<WireRequest["body"]> {
  await using server = await startWireServer({ status: 400, body: "{}" });
  const { model } = chooseModel(settings(server.url));
  await Promise.allSettled([model.doStream({ prompt, maxOutputTokens: 10 })]);
  return server.requests[0]?.body;
}

describe("the last resort continues a run of another provider", () => {
  test("Anthropic gets the call and its result, without thinking that it did not sign", async () => {
    const { messages } = await sentBy(historyOf("google", { thoughtSignature: "c2ln" }), (url) => ({
      anthropicApiKey: "k",
      anthropicBaseUrl: url,
    }));
    expect(messages[1].content).toEqual([
      { type: "tool_use", id: "call-1", name: "calculator", input: { expression: "6*7" } },
    ]);
    expect(messages[2].content).toMatchObject([{ type: "tool_result", tool_use_id: "call-1" }]);
  });

  test("Gemini gets the call with the word that skips its signature", async () => {
    const { contents } = await sentBy(historyOf("anthropic", { signature: "c2ln" }), (url) => ({
      geminiApiKey: "k",
      geminiBaseUrl: url,
    }));
    const call = contents[1].parts.find((part: { functionCall?: object }) => part.functionCall);
    expect(call).toMatchObject({
      functionCall: { name: "calculator" },
      thoughtSignature: "skip_thought_signature_validator",
    });
  });

  test("a server that speaks OpenAI's protocol gets the call and its result", async () => {
    const { messages } = await sentBy(historyOf("google", { thoughtSignature: "c2ln" }), (url) => ({
      model: "openai/m",
      openaiBaseUrl: url,
    }));
    expect(messages[1].tool_calls).toMatchObject([{ id: "call-1", type: "function" }]);
    expect(messages[2]).toMatchObject({ role: "tool", tool_call_id: "call-1" });
  });
});
