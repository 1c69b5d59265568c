import { z } from "zod";

/**
 * Texts that come with the owner's words and are not theirs: pasted, piped in, or taken from a page.
 * They are untrusted and private, ask for nothing and name no one.
 */
export const contextSchema = z.array(z.string().min(1)).max(20);

/**
 * A text of the owner, split by Bron. `words` count as theirs, `apart` does not: it came as context,
 * or was taken out of the words because it looks like text of others, such as a mail with its
 * headers. `digest` is the SHA-256 of the text.
 */
export const splitWordsSchema = z.object({
  words: z.string(),
  apart: z
    .array(z.object({ text: z.string(), from: z.enum(["words", "context"]), digest: z.string() }))
    .readonly(),
});
export type SplitWords = Readonly<z.infer<typeof splitWordsSchema>>;
