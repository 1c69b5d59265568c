import { callId, newNonce, thoughtSignature } from "./signatures.ts";
import type { MessageResponse } from "./script.ts";
import type { GenerateResponse, Part, UsageMetadata } from "./wire.ts";

export interface GenerationLimits {
  /** Size of the request body in bytes. */
  readonly promptBytes: number;
  readonly maxOutputTokens?: number;
  readonly includeThoughts: boolean;
}

export const modelVersion = "scripted-demo-1";

const chunkLength = 24;

/** Splits a message into stream chunks: thoughts, text, calls and a final chunk. */
export function generate(
  message: MessageResponse,
  limits: GenerationLimits,
): readonly GenerateResponse[] {
  const nonce = newNonce();
  const { text, isCut } = limitText(message.text ?? "", limits.maxOutputTokens);
  const calls = isCut ? [] : (message.calls ?? []);
  const groups: Part[][] = [
    ...(limits.includeThoughts
      ? pieces(message.thought ?? "").map((piece) => [{ text: piece, thought: true }])
      : []),
    ...pieces(text).map((piece) => [{ text: piece }]),
  ];
  if (calls.length > 0) {
    groups.push(
      calls.map(({ name, args }, index) => ({
        functionCall: { id: callId(nonce, index), name, args },
        ...(index === 0 ? { thoughtSignature: thoughtSignature(nonce, name) } : {}),
      })),
    );
  }
  // Gemini puts the signature of a text on an empty part after it.
  groups.push([
    {
      text: "",
      ...(calls.length === 0 && text !== ""
        ? { thoughtSignature: thoughtSignature(nonce, "text") }
        : {}),
    },
  ]);

  const finishReason = isCut ? "MAX_TOKENS" : (message.finishReason ?? "STOP");
  const usageMetadata = countUsage(message, text, limits.promptBytes);
  return groups.map((parts, index) => ({
    candidates: [
      {
        content: { role: "model", parts },
        ...(index === groups.length - 1 ? { finishReason } : {}),
        index: 0,
      },
    ],
    usageMetadata,
    modelVersion,
    responseId: nonce,
  }));
}

/** Merges the chunks into one response for generateContent. */
export function mergeChunks(chunks: readonly GenerateResponse[]): GenerateResponse | undefined {
  const last = chunks.at(-1);
  const candidate = last?.candidates[0];
  if (last === undefined || candidate === undefined) return undefined;
  const parts: Part[] = [];
  for (const part of chunks.flatMap((chunk) =>
    chunk.candidates.flatMap(({ content }) => content.parts),
  )) {
    const previous = parts.at(-1);
    if (
      part.text !== undefined &&
      previous?.text !== undefined &&
      previous.thought === part.thought
    )
      parts[parts.length - 1] = { ...previous, ...part, text: previous.text + part.text };
    else if (part.text !== "") parts.push(part);
  }
  return { ...last, candidates: [{ ...candidate, content: { role: "model", parts } }] };
}

/** Estimates four characters per token, which is enough for a free model. */
function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

function countUsage(message: MessageResponse, text: string, promptBytes: number): UsageMetadata {
  const promptTokenCount = message.usage?.promptTokenCount ?? Math.ceil(promptBytes / 4);
  const candidatesTokenCount =
    message.usage?.candidatesTokenCount ??
    countTokens(text + (message.calls ?? []).map((call) => JSON.stringify(call)).join(""));
  const thoughtsTokenCount =
    message.usage?.thoughtsTokenCount ?? countTokens(message.thought ?? "");
  return {
    promptTokenCount,
    candidatesTokenCount,
    thoughtsTokenCount,
    totalTokenCount: promptTokenCount + candidatesTokenCount + thoughtsTokenCount,
  };
}

function limitText(
  text: string,
  maxOutputTokens: number | undefined,
): { readonly text: string; readonly isCut: boolean } {
  const isCut = maxOutputTokens !== undefined && countTokens(text) > maxOutputTokens;
  return { text: isCut ? text.slice(0, maxOutputTokens * 4) : text, isCut };
}

/** Splits after spaces, so the joined pieces equal the text. */
function pieces(text: string): readonly string[] {
  return (
    text.match(new RegExp(`[\\s\\S]{1,${chunkLength}}(?:\\s|$)|[\\s\\S]{1,${chunkLength}}`, "g")) ??
    []
  );
}
