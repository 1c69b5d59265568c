import { z } from "zod";

/** `expired`: no answer came in time. `canceled`: the run ended before one came. */
export const questionStates = ["pending", "answered", "expired", "canceled"] as const;
export type QuestionState = (typeof questionStates)[number];

/** Something that a run asks its owner, and that is not about an effect. */
export interface NewQuestion {
  readonly text: string;
  /** Answers to choose from. The owner may always type another one. */
  readonly choices?: readonly string[] | undefined;
  /** The answer that counts if none comes in time. */
  readonly default?: string | undefined;
}

/** What the owner typed, or the choice that the owner took. */
export type Answer = { readonly typed: string } | { readonly choice: string };

export const questionViewSchema = z.object({
  id: z.uuid(),
  runId: z.uuid(),
  actionId: z.uuid(),
  state: z.enum(questionStates),
  text: z.string(),
  choices: z.array(z.string()),
  default: z.string().nullable(),
  /** What the owner typed or chose. */
  answer: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
});
export type QuestionView = Readonly<z.infer<typeof questionViewSchema>>;
