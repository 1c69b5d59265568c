/**
 * The subset of Gemini's generateContent that the demo model implements:
 * https://ai.google.dev/api/generate-content
 */

export type JsonObject = { readonly [key: string]: unknown };

export interface FunctionCall {
  readonly id?: string;
  readonly name: string;
  readonly args?: JsonObject;
}

export interface FunctionResponse {
  readonly id?: string;
  readonly name: string;
  readonly response: JsonObject;
}

export interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly thoughtSignature?: string;
  readonly functionCall?: FunctionCall;
  readonly functionResponse?: FunctionResponse;
}

export interface Content {
  readonly role?: string;
  readonly parts: readonly Part[];
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly description?: string;
  /** A JSON Schema. */
  readonly parametersJsonSchema?: JsonObject;
}

export interface GenerateRequest {
  readonly contents: readonly Content[];
  readonly systemInstruction?: { readonly parts: readonly Part[] };
  readonly tools?: readonly { readonly functionDeclarations?: readonly FunctionDeclaration[] }[];
  readonly toolConfig?: {
    readonly functionCallingConfig?: {
      readonly mode?: string;
      readonly allowedFunctionNames?: readonly string[];
    };
  };
  readonly generationConfig?: {
    readonly maxOutputTokens?: number;
    readonly responseMimeType?: string;
    readonly thinkingConfig?: { readonly includeThoughts?: boolean };
  };
}

export interface UsageMetadata {
  readonly promptTokenCount: number;
  readonly candidatesTokenCount: number;
  readonly thoughtsTokenCount: number;
  readonly totalTokenCount: number;
}

export interface GenerateResponse {
  readonly candidates: readonly {
    readonly content: { readonly role: "model"; readonly parts: readonly Part[] };
    readonly finishReason?: string;
    readonly index: 0;
  }[];
  readonly usageMetadata: UsageMetadata;
  readonly modelVersion: string;
  readonly responseId: string;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
