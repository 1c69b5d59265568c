import { z } from "zod";

/**
 * What became of a draft that a task left in the mailbox. `deleted` includes a draft that was sent
 * from another conversation after it was edited.
 */
const draftStates = ["waiting", "sent", "deleted"] as const;

/**
 * A draft that a task left in the mailbox, as the mailbox has it now. A sent or deleted draft has
 * the content that Bron wrote.
 */
export const draftViewSchema = z.object({
  /** The effect that wrote it last. */
  effectId: z.uuid(),
  draftId: z.string(),
  state: z.enum(draftStates),
  /** It is no longer what Bron wrote. */
  isEdited: z.boolean(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  subject: z.string(),
  bodyText: z.string(),
  /** The provider's ID of the message, by which a link opens it. */
  messageId: z.string().nullable(),
});
export type DraftView = Readonly<z.infer<typeof draftViewSchema>>;
