import { omitUndefined } from "@bron/protocol";
import { defineTool, type Tool } from "@bron/core";
import { z } from "zod";
import { checkValues, type FoundValue } from "../fields/check-fields.ts";
import type { DocumentCache } from "./document-cache.ts";
import { loadDocument, readBytes, toolTimeoutMs, type Timing } from "./load-document.ts";

const fieldSchema = z.object({
  key: z.string().min(1).max(200).describe("What it is, e.g. Total"),
  value: z.string().trim().min(1).max(2_000).describe("As the document writes it."),
  confidence: z.number().min(0).max(1).optional(),
  place: z.string().max(200).optional().describe("Where you read it. It is looked up again."),
});

/** Unless the model says how sure it is. */
const defaultConfidence = { exact: 0.95, normalised: 0.85 } as const;

export function documentFieldsTool(cache: DocumentCache, timing: Timing): Tool {
  return defineTool({
    name: "document_fields",
    description:
      "Hands over fields that you read in a document. Each value is looked up in the document itself, shown to the user with its place, and kept. Values that the document does not hold are marked as not found: correct or drop them.",
    input: z.object({
      digest: z.string().min(1).describe("The document's digest, as for document_read."),
      source: z.string().min(1).max(500).optional().describe("The file's name, for the user."),
      fields: z.array(fieldSchema).min(1).max(60),
    }),
    timeoutMs: toolTimeoutMs,
    label: { origin: "document" },
    parallelSafe: true,
    repeatable: true,
    async execute({ digest, source = "document", fields }, context) {
      // Read even if the text is at hand: that is what shows that it is the owner's.
      const bytes = await readBytes({ digest, name: source }, context);
      const document =
        cache.get(digest) ?? (await loadDocument(bytes, { digest, name: source }, context, timing));
      cache.put(digest, document);
      const found = await checkValues(
        document,
        fields.map(({ value }) => value),
      );
      const checked = fields.map((field, index) => judge(field, found[index]));
      const foundCount = checked.filter((field) => field.found).length;
      context.showCard("ExtractedFieldsTable", {
        source,
        fields: checked.map(({ key, value, confidence, found: isFound, place }) => ({
          key,
          value,
          confidence,
          found: isFound,
          ...omitUndefined({ place }),
        })),
      });
      const bytesOfJson = new TextEncoder().encode(
        JSON.stringify({ source, digest, fields: checked }, undefined, 2),
      );
      const { artifactId } = await context.saveArtifact({
        kind: "extracted_json",
        name: `${source}.json`,
        mediaType: "application/json",
        bytes: bytesOfJson,
      });
      const missing = checked.length - foundCount;
      const cut = document.truncated
        ? " The document is cut, so that they may stand further on."
        : "";
      return {
        artifactId,
        foundCount,
        fieldCount: checked.length,
        fields: checked,
        ...(missing === 0
          ? {}
          : {
              note: `${missing} of ${checked.length} values are not in the document as given, and are marked so.${cut}`,
            }),
      };
    },
  });
}

/** What the document does not say is worth nothing, however sure the model is. */
function judge(
  { key, value, confidence }: z.output<typeof fieldSchema>,
  found: FoundValue | undefined,
) {
  if (!found) return { key, value, found: false, confidence: 0 };
  const { match, place } = found;
  return {
    key,
    value,
    found: true,
    match,
    place,
    confidence: confidence ?? defaultConfidence[match],
  };
}
