import { omitUndefined } from "@bron/protocol";
import { generate, mergeChunks } from "./generation.ts";
import type { Content, FunctionCall, JsonObject, Part } from "./wire.ts";

export const user = (text: string): Content => ({ role: "user", parts: [{ text }] });

/** A turn as the demo model produces it. */
export function modelTurn(message: {
  text?: string;
  thought?: string;
  calls?: readonly { name: string; args: JsonObject }[];
}): Content {
  const merged = mergeChunks(generate(message, { promptBytes: 0, includeThoughts: true }));
  return { role: "model", parts: merged?.candidates[0]?.content.parts ?? [] };
}

function callsOf(content: Content): readonly FunctionCall[] {
  return content.parts.flatMap((part) => part.functionCall ?? []);
}

/** The responses that an agent loop sends back, one per call and in order. */
export function responsesTo(turn: Content, content: unknown = "ok"): Content {
  return {
    role: "user",
    parts: callsOf(turn).map(({ id, name }) => ({
      functionResponse: { ...omitUndefined({ id }), name, response: { name, content } },
    })),
  };
}

export function replacePart(
  contents: readonly Content[],
  contentIndex: number,
  partIndex: number,
  replacement: readonly Part[],
): readonly Content[] {
  return contents.map((content, index) =>
    index === contentIndex
      ? { ...content, parts: content.parts.toSpliced(partIndex, 1, ...replacement) }
      : content,
  );
}
