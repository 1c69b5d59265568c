import { APICallError } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { streamParts } from "./assistant-message.fixture.ts";
import { chooseModel } from "./choose-model.ts";
import type { ModelSettings } from "./model-settings.ts";
import { startWireServer } from "./wire-server.fixture.ts";

const providers: readonly {
  readonly name: string;
  readonly settings: (url: string) => ModelSettings;
  readonly errorBody: (message: string) => object;
}[] = [
  {
    name: "gemini",
    settings: (url) => ({ model: "gemini-3.8-flash", geminiApiKey: "k", geminiBaseUrl: url }),
    errorBody: (message) => ({ error: { code: 429, message, status: "RESOURCE_EXHAUSTED" } }),
  },
  {
    name: "anthropic",
    settings: (url) => ({ model: "claude-sonnet-5", anthropicApiKey: "k", anthropicBaseUrl: url }),
    errorBody: (message) => ({ type: "error", error: { type: "rate_limit_error", message } }),
  },
  {
    name: "openai",
    settings: (url) => ({ model: "openai/qwen3", openaiBaseUrl: url }),
    errorBody: (message) => ({ error: { message, type: "rate_limit_exceeded", code: null } }),
  },
  {
    name: "demo",
    settings: (url) => ({ demoBaseUrl: url }),
    errorBody: (message) => ({ error: { code: 429, message, status: "RESOURCE_EXHAUSTED" } }),
  },
];

describe.each(providers)("$name", ({ settings, errorBody }) => {
  const failure = async (status: number, headers: Record<string, string> = {}) => {
    await using server = await startWireServer({
      status,
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(errorBody("Slow down.")),
    });
    const error: unknown = await streamParts(chooseModel(settings(server.url)).model).catch(
      (thrown: unknown) => thrown,
    );
    if (!APICallError.isInstance(error)) throw new Error(`not an APICallError: ${String(error)}`);
    return { error, tries: server.requests.length };
  };

  test("a 429 is an APICallError that may be retried, with its headers", async () => {
    const { error } = await failure(429, { "retry-after": "7" });
    expect(error).toMatchObject({ message: "Slow down.", statusCode: 429, isRetryable: true });
    expect(error.responseHeaders?.["retry-after"]).toBe("7");
  });

  test("a 500 is an APICallError that may be retried", async () => {
    expect((await failure(500)).error).toMatchObject({ statusCode: 500, isRetryable: true });
  });

  test("a 400 is an APICallError that may not be retried", async () => {
    expect((await failure(400)).error).toMatchObject({ statusCode: 400, isRetryable: false });
  });

  test("the provider does not retry", async () => {
    expect((await failure(503)).tries).toBe(1);
  });

  test("a refused connection is an APICallError that may be retried", async () => {
    const server = await startWireServer({ body: "" });
    await server[Symbol.asyncDispose]();
    await expect(streamParts(chooseModel(settings(server.url)).model)).rejects.toMatchObject({
      name: "AI_APICallError",
      isRetryable: true,
    });
  });
});
