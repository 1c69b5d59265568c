import { z } from "zod";
import { approvalStates } from "./states.ts";

/**
 * Why an approval, denial, edit or undo of the owner was not accepted.
 *
 * - `already_closed`: the approval has this state already.
 * - `content_changed`: the owner saw another form than the one that waits.
 */
export const closingReasonSchema = z.discriminatedUnion("code", [
  z.object({ code: z.literal("already_closed"), state: z.enum(approvalStates) }),
  z.object({ code: z.literal("undo_too_late") }),
  z.object({ code: z.literal("content_changed") }),
  z.object({ code: z.literal("task_ended") }),
]);
export type ClosingReason = Readonly<z.infer<typeof closingReasonSchema>>;

/** The reason that an error has in its details, if it is about an approval. */
export function closingReasonOf(
  details: Readonly<Record<string, unknown>>,
): ClosingReason | undefined {
  return closingReasonSchema.safeParse(details["why"]).data;
}

/** A sentence for each reason. */
export type ClosingWords = {
  readonly [K in ClosingReason["code"]]: (why: Extract<ClosingReason, { code: K }>) => string;
};

const closedWords: Readonly<Record<(typeof approvalStates)[number], string>> = {
  pending: "This approval is still pending.",
  approved: "This approval was already given.",
  used: "This approval was already used.",
  denied: "This approval was already denied.",
  expired: "This approval has expired.",
  superseded: "This approval was replaced by an edited version.",
  canceled: "This approval was canceled, because the task no longer needs it.",
};

/** The sentences of the terminal, the web app and the HTTP API. */
export const closingWords: ClosingWords = {
  already_closed: ({ state }) => closedWords[state],
  undo_too_late: () => "Too late to undo.",
  content_changed: () => "The content changed since you reviewed it.",
  task_ended: () => "This task has ended.",
};

/** The sentence for an error of an approval. An error about something else has a message. */
export function describeClosing(
  { why, message = "" }: { readonly why?: ClosingReason | undefined; readonly message?: string },
  words: ClosingWords = closingWords,
): string {
  return why === undefined ? message : (words[why.code] as (value: ClosingReason) => string)(why);
}
