import { z } from "zod";

/** The kind of an artifact that is the whole output of a tool. */
export const keptOutputKind = "tool_output";

/** An output that was too long for the log. It is stored whole, as text. */
export const keptOutputSchema = z.object({
  /** The action that produced it. A retry that reuses the result keeps this id. */
  outputId: z.string(),
  digest: z.string(),
  name: z.string(),
  mediaType: z.string(),
  sizeBytes: z.number().int(),
  characters: z.number().int(),
});
export type KeptOutput = z.infer<typeof keptOutputSchema>;
