import { createHash } from "node:crypto";
import type { Reader } from "@bron/testing";
import { inBatches } from "../in-batches.ts";
import { playCase, rightReaderOf, type PlaySettings, type PolicyCase } from "../play-case.ts";

/** A request of the product to read the owner's words, and the right output. */
export interface ReadingCase {
  readonly digest: string;
  readonly class: string;
  /** Names the set of words, such as "read_intent 1". */
  readonly purpose: string;
  readonly prompt: string;
  readonly right: unknown;
}

type Options = Parameters<Reader>[1];

/** A digest of all that the model sees: the instruction, the words, and the form of the output. */
export function digestOfReading({
  prompt,
  responseFormat,
}: Pick<Options, "prompt" | "responseFormat">): string {
  return `sha256:${createHash("sha256").update(JSON.stringify({ prompt, responseFormat })).digest("hex")}`;
}

/** Each plays at a level that asks often, and at one that goes on without asking. */
const settings: readonly PlaySettings[] = [
  { level: "supervised", approver: "approves everything" },
  { level: "autonomous", approver: "absent" },
];

/**
 * Plays cases with their right readings, and collects the requests that the product makes in them.
 * Each request is in the result once, in the order of the cases.
 */
export async function collectReadings(cases: readonly PolicyCase[]): Promise<ReadingCase[]> {
  const found = cases.map(() => new Map<string, ReadingCase>());
  const plays = cases.flatMap((one, at) => settings.map((setting) => ({ one, at, setting })));
  await inBatches(plays, async ({ one, at, setting }) => {
    const right = rightReaderOf(one);
    const reader: Reader = (prompt, options) => {
      const output = right(prompt, options);
      const digest = digestOfReading(options);
      const purpose = purposeOf(options);
      found[at]?.set(digest, { digest, class: one.class, purpose, prompt, right: output });
      return output;
    };
    await playCase(one, { ...setting, reader });
  });
  const distinct = new Map(found.flatMap((map) => [...map]).toReversed());
  return [...distinct.values()].toReversed();
}

function purposeOf({ prompt: [system] }: Options): string {
  const [, purpose] =
    /^\[AUXILIARY CALL ([^\]]+)\]/.exec(system?.role === "system" ? system.content : "") ?? [];
  if (purpose === undefined) throw new Error("The request to read the words has no purpose");
  return purpose;
}
