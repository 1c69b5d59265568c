import { z } from "zod";

/** Kinds of things that Bron writes for the owner alone, and that a later effect may use. */
const writtenKinds = ["draft", "note"] as const;

/** A thing that an effect wrote, by the id that it has where it is kept. */
const writtenThingSchema = z.object({ kind: z.enum(writtenKinds), id: z.string() });
export type WrittenThing = Readonly<z.infer<typeof writtenThingSchema>>;

export const writtenThingsSchema = z.object({
  things: z.array(writtenThingSchema),
  /** The run had read only the owner's words. */
  trusted: z.boolean(),
});
export type WrittenThings = z.infer<typeof writtenThingsSchema>;

/** A run that wrote a thing. */
export const writerSchema = z.object({ runId: z.string(), trusted: z.boolean() });
export type Writer = Readonly<z.infer<typeof writerSchema>>;
