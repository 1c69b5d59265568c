import { expect, test } from "vitest";
import { chooseModel } from "./choose-model.ts";
import type { ModelSettings } from "./model-settings.ts";
import { startWireServer } from "./wire-server.fixture.ts";

const schema = {
  type: "object" as const,
  properties: { topic: { type: "string" as const } },
  required: ["topic"],
  additionalProperties: false,
};
const format = { type: "json_schema", schema };

test.each([
  [
    "Gemini by its JSON Schema",
    (url: string): ModelSettings => ({ geminiApiKey: "k", geminiBaseUrl: url }),
    { generationConfig: { responseMimeType: "application/json", responseJsonSchema: schema } },
  ],
  [
    "Anthropic by its output format",
    (url: string): ModelSettings => ({ anthropicApiKey: "k", anthropicBaseUrl: url }),
    { output_config: { format } },
  ],
  [
    "other servers as JSON of any form, so that the instruction must contain the schema",
    (url: string): ModelSettings => ({ model: "openai/m", openaiBaseUrl: url }),
    { response_format: { type: "json_object" } },
  ],
])("an auxiliary call asks %s", async (_, settings, expected) => {
  await using server = await startWireServer({ status: 400, body: "{}" });
  const { model } = chooseModel(settings(server.url));
  const call = model.doStream({
    prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    maxOutputTokens: 10,
    responseFormat: { type: "json", name: "topic", schema },
  });
  await Promise.allSettled([call]);
  expect(server.requests[0]?.body).toMatchObject(expected);
});
