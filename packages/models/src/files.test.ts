import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, test } from "vitest";
import { chooseModel } from "./choose-model.ts";
import type { ModelSettings } from "./model-settings.ts";
import { startWireServer, type WireRequest } from "./wire-server.fixture.ts";

const image = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0]);
const pdf = new TextEncoder().encode("%PDF-1.7 content");
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

const prompt: LanguageModelV4Prompt = [
  {
    role: "user",
    content: [
      { type: "text", text: "Files:" },
      {
        type: "file",
        mediaType: "image/png",
        filename: "a.png",
        data: { type: "data", data: image },
      },
      {
        type: "file",
        mediaType: "application/pdf",
        filename: "b.pdf",
        data: { type: "data", data: pdf },
      },
    ],
  },
  { role: "user", content: [{ type: "text", text: "What is this?" }] },
];

/** What the official client sends for the prompt. The response does not matter. */
async function sentBy(settings: (url: string) => ModelSettings): Promise<WireRequest["body"]> {
  await using server = await startWireServer({ status: 400, body: "{}" });
  const { model } = chooseModel(settings(server.url));
  await Promise.allSettled([model.doStream({ prompt, maxOutputTokens: 10 })]);
  return server.requests[0]?.body;
}

describe("images and PDFs", () => {
  test("reach Gemini as inline data", async () => {
    const { contents } = await sentBy((url) => ({ geminiApiKey: "k", geminiBaseUrl: url }));
    expect(contents[0].parts).toEqual([
      { text: "Files:" },
      { inlineData: { mimeType: "image/png", data: base64(image) } },
      { inlineData: { mimeType: "application/pdf", data: base64(pdf) } },
    ]);
  });

  test("reach Anthropic as an image and a document", async () => {
    const { messages } = await sentBy((url) => ({ anthropicApiKey: "k", anthropicBaseUrl: url }));
    expect(messages[0].content).toMatchObject([
      { type: "text", text: "Files:" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: base64(image) } },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: base64(pdf) },
      },
      { type: "text", text: "What is this?" },
    ]);
  });

  test("reach a server that speaks OpenAI's protocol as data URLs", async () => {
    const { messages } = await sentBy((url) => ({ model: "openai/m", openaiBaseUrl: url }));
    expect(messages[0].content).toMatchObject([
      { type: "text", text: "Files:" },
      { type: "image_url", image_url: { url: `data:image/png;base64,${base64(image)}` } },
      {
        type: "file",
        file: { filename: "b.pdf", file_data: `data:application/pdf;base64,${base64(pdf)}` },
      },
    ]);
  });

  test("are accepted by models that are known to look at them", () => {
    const accepts = (settings: ModelSettings) => chooseModel(settings).accepts;
    expect(accepts({ geminiApiKey: "k" })).toEqual([
      "image/png",
      "image/jpeg",
      "image/webp",
      "application/pdf",
    ]);
    expect(accepts({ anthropicApiKey: "k" })).toContain("application/pdf");
    expect(accepts({ demoBaseUrl: "http://127.0.0.1:1" })).toEqual([]);
    const openai = { model: "openai/m", openaiBaseUrl: "http://127.0.0.1:1" };
    expect(accepts(openai)).toEqual([]);
    expect(accepts({ ...openai, modelDetails: "openai/m files=image" })).toContain("image/png");
  });
});
