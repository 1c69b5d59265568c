import { BronError, defineTool, type Tool } from "@bron/core";
import { cardSchemas, type CardPayload } from "@bron/protocol";
import { z } from "zod";

const kinds = ["EmailSearchResultsCard", "AttachmentSummaryCard", "ExtractedFieldsTable"] as const;

/**
 * All fields of the three cards, so that the model sees their shapes. The kind decides which are
 * required.
 */
const payloadSchema = z
  .object({
    ...cardSchemas.EmailSearchResultsCard.shape,
    ...cardSchemas.AttachmentSummaryCard.shape,
    ...cardSchemas.ExtractedFieldsTable.shape,
  })
  .partial()
  .describe(
    "EmailSearchResultsCard: query, matches. AttachmentSummaryCard: messageId, attachments. ExtractedFieldsTable: source, fields.",
  );

/**
 * Shows cards that the model may create. Only Bron itself creates cards about approvals, effects
 * and outcomes.
 */
export function emitUiTool(): Tool {
  return defineTool({
    name: "emit_ui",
    label: "trusted",
    description:
      "Shows the user a card. Fields shown this way count as unchecked. Use document_fields for values from a document.",
    input: z.object({ kind: z.enum(kinds), payload: payloadSchema }),
    repeatable: true,
    execute({ kind, payload }, context) {
      const parsed = cardSchemas[kind].safeParse(payload);
      if (!parsed.success) {
        const issue = parsed.error.issues[0];
        throw new BronError(
          "invalid_arguments",
          `Invalid ${kind}: payload.${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`,
        );
      }
      if (kind === "ExtractedFieldsTable")
        context.showCard(kind, asUnchecked(parsed.data as CardPayload<typeof kind>));
      else context.showCard(kind, parsed.data as CardPayload<typeof kind>);
      return { shown: kind };
    },
  });
}

function asUnchecked({
  source,
  fields,
}: CardPayload<"ExtractedFieldsTable">): CardPayload<"ExtractedFieldsTable"> {
  return {
    source,
    fields: fields.map(({ key, value }) => ({ key, value, confidence: 0, found: false })),
  };
}
