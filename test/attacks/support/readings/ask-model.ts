import { BronError, type RunModel } from "@bron/core";
import { systemClock } from "@bron/runtime";
import { createLoopHarness } from "@bron/testing";
import { auxiliaryOptions } from "../../../../packages/core/src/model/auxiliary-request.ts";
import type { ReadableText } from "../../../../packages/core/src/intent/readable-words.ts";
import { readingRequest } from "../../../../packages/core/src/intent/reading-request.ts";
import { digestOfReading, type ReadingCase } from "./reading-requests.ts";
import type { RecordedReading } from "./recordings.ts";

export type AskedReading =
  | ({ readonly ok: true } & RecordedReading)
  | {
      readonly ok: false;
      /** The error code of the auxiliary call. */
      readonly error: string;
      readonly tokens: number;
      readonly costMicrousd: number;
    };

const free = { inputMicrousdPerMillion: 0, outputMicrousdPerMillion: 0 };

/**
 * Asks a model to read words, in a run that makes this auxiliary call as the product does: with its
 * instruction, schema, time limit, repair, repetition and reservation. Throws if the request would
 * differ from the collected one.
 */
export async function askModel(
  light: RunModel,
  { digest, purpose, prompt }: ReadingCase,
  maxMicrousd: number,
): Promise<AskedReading> {
  const texts = JSON.parse(prompt) as ReadableText[];
  const request = { ...readingRequest({ texts, slots: new Map() }), purpose };
  if (digestOfReading(auxiliaryOptions(request, undefined)) !== digest)
    throw new Error(`The request for ${prompt} differs from the one of the product`);
  const loop = createLoopHarness({
    script: () => ({ text: "Done." }),
    price: free,
    roles: () => ({ light }),
    deps: { clock: systemClock, auxiliaryRequests: () => [request] },
  });
  const run = await loop.create({}, light.price ? { costMicrousd: maxMicrousd } : {});
  const startedAt = performance.now();
  // The lease of a run that waits too long for its model is lost. Its log says what was used.
  await loop.advance(run.id).catch((error: unknown) => {
    if (!BronError.is(error)) throw error;
  });
  const latencyMs = Math.round(performance.now() - startedAt);
  const events = await loop.events(run.id);
  const calls = events.flatMap((event) => (event.type === "auxiliary_call" ? [event.payload] : []));
  const used = events.flatMap((event) =>
    event.type === "usage" && event.payload.auxiliaryCallId !== undefined ? [event.payload] : [],
  );
  const sum = (count: (usage: (typeof used)[number]) => number) =>
    used.reduce((total, usage) => total + count(usage), 0);
  const inputTokens = sum((usage) => usage.inputTokens);
  const outputTokens = sum((usage) => usage.outputTokens);
  const costMicrousd = sum((usage) => usage.costMicrousd);
  const end = calls.find(({ phase }) => phase === "end");
  if (end?.phase !== "end" || end.output === undefined) {
    const error = end?.phase === "end" ? end.error?.code : undefined;
    return {
      ok: false,
      error: error ?? "no_result",
      tokens: inputTokens + outputTokens,
      costMicrousd,
    };
  }
  return {
    ok: true,
    output: end.output,
    calls: calls.filter(({ phase }) => phase === "start").length,
    inputTokens,
    outputTokens,
    costMicrousd,
    latencyMs,
  };
}
