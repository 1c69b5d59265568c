import { invalidArgument, type GoogleError } from "./google-error.ts";
import { validateContents } from "./validate-contents.ts";
import { validateSignatures } from "./validate-signatures.ts";
import { validateTools } from "./validate-tools.ts";
import { isObject, type Content, type GenerateRequest } from "./wire.ts";

const knownFields = new Set([
  "contents",
  "systemInstruction",
  "tools",
  "toolConfig",
  "generationConfig",
  "safetySettings",
  "cachedContent",
  "labels",
  "serviceTier",
  "continuationToken",
]);

/** Rejects the requests that Gemini 3 rejects. */
export function validateRequest(
  body: unknown,
): { readonly request: GenerateRequest } | { readonly error: GoogleError } {
  if (!isObject(body))
    return { error: invalidArgument("Invalid JSON payload received. Expected an object.") };
  const unknown = Object.keys(body).find((field) => !knownFields.has(field));
  if (unknown !== undefined)
    return {
      error: invalidArgument(
        `Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`,
      ),
    };

  const error =
    validateContents(body["contents"]) ??
    validateSystem(body["systemInstruction"]) ??
    validateTools(body["tools"]) ??
    validateConfig(body["generationConfig"]) ??
    validateSignatures(body["contents"] as readonly Content[]);
  return error === undefined ? { request: body as unknown as GenerateRequest } : { error };
}

function validateSystem(system: unknown): GoogleError | undefined {
  if (system === undefined) return undefined;
  if (!isObject(system) || !Array.isArray(system["parts"]) || system["parts"].length === 0) {
    return invalidArgument("* GenerateContentRequest.system_instruction.parts: must not be empty.");
  }
  const isText = (part: unknown) => isObject(part) && typeof part["text"] === "string";
  return system["parts"].every(isText)
    ? undefined
    : invalidArgument(
        "* GenerateContentRequest.system_instruction: only text parts are supported.",
      );
}

function validateConfig(config: unknown): GoogleError | undefined {
  if (config === undefined) return undefined;
  if (!isObject(config))
    return invalidArgument(
      "Invalid value at 'generation_config' (type.googleapis.com/google.ai.generativelanguage.v1beta.GenerationConfig)",
    );
  const { maxOutputTokens, temperature } = config;
  if (maxOutputTokens !== undefined && !Number.isInteger(maxOutputTokens))
    return invalidArgument(
      `Invalid value at 'generation_config.max_output_tokens' (TYPE_INT32), ${JSON.stringify(maxOutputTokens)}`,
    );
  if (typeof maxOutputTokens === "number" && maxOutputTokens < 1)
    return invalidArgument(
      "* GenerateContentRequest.generation_config.max_output_tokens: max_output_tokens must be positive.",
    );
  if (
    temperature !== undefined &&
    !(typeof temperature === "number" && temperature >= 0 && temperature <= 2)
  ) {
    return invalidArgument(
      "* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].",
    );
  }
  return undefined;
}
