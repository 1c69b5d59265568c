import { z } from "zod";

/** `expired`: no answer came in time. `canceled`: the run ended before one came. */
export const questionStates = ["pending", "answered", "expired", "canceled"] as const;
export type QuestionState = (typeof questionStates)[number];

const characters = z.number().int().min(0).max(10_000).optional();

/** A JSON Schema of one value that an owner can type. */
export const answerSchemaSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("string"),
    format: z.enum(["email", "uri", "date"]).optional(),
    minLength: characters,
    maxLength: characters,
  }),
  z.strictObject({
    type: z.enum(["number", "integer"]),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
  }),
]);
export type AnswerSchema = z.infer<typeof answerSchemaSchema>;

/** Something that a run asks its owner, and that is not about an effect. */
export interface NewQuestion {
  readonly text: string;
  /** Answers to choose from. The owner may always type another one. */
  readonly choices?: readonly string[] | undefined;
  /** What the answer must be. Without it, any text will do. */
  readonly schema?: AnswerSchema | undefined;
  /** The answer that counts if none comes in time. */
  readonly default?: string | undefined;
}

/** What the owner typed, with its context, or the choice that the owner made. */
export type Answer =
  | {
      readonly typed: string;
      readonly context?: readonly string[];
      /** See `UserMessage`. */
      readonly program?: string;
    }
  | { readonly choice: string };

export const questionViewSchema = z.object({
  id: z.uuid(),
  runId: z.uuid(),
  actionId: z.uuid(),
  state: z.enum(questionStates),
  text: z.string(),
  choices: z.array(z.string()),
  schema: answerSchemaSchema.nullable(),
  default: z.string().nullable(),
  /** What the owner typed or chose. */
  answer: z.string().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
});
export type QuestionView = Readonly<z.infer<typeof questionViewSchema>>;
