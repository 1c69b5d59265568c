import { z } from "zod";
import { askKinds } from "@bron/protocol";

/**
 * What a model returns when it reads the owner's words. Nothing in it is believed before
 * `parseReading` has found each mention in the words.
 */

/** Words exactly as they are in one of the texts, or a slot. */
const mention = z.union([
  z.strictObject({ text: z.string().max(8), words: z.string().min(1).max(2_000) }),
  z.strictObject({ slot: z.string().max(8) }),
]);

export const personMeanings = ["person", "owner", "author", "everyone", "same_people"] as const;
const thingKinds = ["mail", "draft", "event", "file", "channel", "url", "note"] as const;
const changedFields = [
  "title",
  "time",
  "guests",
  "location",
  "description",
  "recurrence",
  "response",
] as const;

const people = z
  .array(z.strictObject({ mention, means: z.enum(personMeanings) }))
  .max(50)
  .default([]);
const things = z
  .array(z.strictObject({ mention, kind: z.enum(thingKinds) }))
  .max(50)
  .default([]);

export const readingSchema = z.strictObject({
  asks: z
    .array(
      z.strictObject({
        effect: z.enum(askKinds),
        words: mention,
        times: z.enum(["once", "each"]),
        people,
        things,
        fields: z.array(z.enum(changedFields)).max(changedFields.length).default([]),
        dictated: z.array(mention).max(20).default([]),
      }),
    )
    .max(50),
  prohibitions: z
    .array(
      z.strictObject({
        effect: z.enum([...askKinds, "any"]),
        words: mention,
        people,
        things,
      }),
    )
    .max(50)
    .default([]),
});

export type RawReading = z.infer<typeof readingSchema>;
export type RawMention = z.infer<typeof mention>;
export type ChangedField = (typeof changedFields)[number];
export type ThingKind = (typeof thingKinds)[number];
