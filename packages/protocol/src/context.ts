import { z } from "zod";

/**
 * Texts that come with the owner's words and are not theirs: pasted, piped in, or taken from a page.
 * They are untrusted and private, ask for nothing and name no one.
 */
export const contextSchema = z.array(z.string().min(1)).max(20);
