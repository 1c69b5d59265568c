import { z } from "zod";
import { endpoints } from "./endpoint.ts";

const microusd = z.number().int().nonnegative();
const zone = z.string().trim().min(1).max(64);

const budgetViewSchema = z.object({
  /** Days and months begin at midnight in this zone. */
  zone: z.string(),
  /** In millionths of a US dollar. Null: no cap. */
  dayCapMicrousd: microusd.nullable(),
  monthCapMicrousd: microusd.nullable(),
  /** What model calls of today and of this month cost, with what calls under way may cost. */
  dayMicrousd: microusd,
  monthMicrousd: microusd,
  /** When the day and the month end. */
  dayEndsAt: z.iso.datetime(),
  monthEndsAt: z.iso.datetime(),
});
export type BudgetView = Readonly<z.infer<typeof budgetViewSchema>>;

/** Omitted fields stay unchanged. */
const budgetChangeSchema = z.strictObject({
  dayCapMicrousd: microusd.nullable().optional(),
  monthCapMicrousd: microusd.nullable().optional(),
  zone: zone.optional(),
});
export type BudgetChange = Readonly<z.infer<typeof budgetChangeSchema>>;

export const budgetApi = endpoints({
  "GET /api/budget": {
    summary: "Get your budget by day and month, and what is spent of it.",
    tag: "You",
    scope: "read",
    response: budgetViewSchema,
  },
  "PATCH /api/budget": {
    summary: "Set your budget by day and month.",
    tag: "You",
    scope: "manage",
    body: budgetChangeSchema,
    response: budgetViewSchema,
  },
});
