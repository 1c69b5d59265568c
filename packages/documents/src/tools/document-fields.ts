import { omitUndefined } from "@bron/protocol";
import { defineTool, outputPart, type Tool } from "@bron/core";
import { z } from "zod";
import { checkValues, type FoundValue } from "../fields/check-fields.ts";
import type { DocumentCache } from "./document-cache.ts";
import { filePart } from "./file-part.ts";
import { loadDocument, readBytes, toolTimeoutMs, type Timing } from "./load-document.ts";

const fieldSchema = z.object({
  key: z.string().min(1).max(200).describe("Name of the field, e.g. Total"),
  value: z.string().trim().min(1).max(2_000).describe("The value as written in the document."),
  confidence: z.number().min(0).max(1).optional(),
  place: z.string().max(200).optional().describe("Where you read it. Bron looks it up again."),
});

/** Used unless the model states its confidence. */
const defaultConfidence = { exact: 0.95, normalised: 0.85 } as const;

export function documentFieldsTool(cache: DocumentCache, timing: Timing): Tool {
  return defineTool({
    name: "document_fields",
    description:
      "Submits fields that you read in a document. Each value is looked up in the document, shown to the user with its place, and saved. Values that are not in the document are marked as not found: correct or drop them.",
    input: z.object({
      digest: z.string().min(1).describe("The document's digest, as for document_read."),
      source: z.string().min(1).max(500).optional().describe("The file's name, for the user."),
      fields: z.array(fieldSchema).min(1).max(60),
    }),
    timeoutMs: toolTimeoutMs,
    label: { origin: "document", parts: outputPart(filePart) },
    parallelSafe: true,
    repeatable: true,
    async execute({ digest, source = "document", fields }, context) {
      // Read the bytes even if the text is cached, because that proves that the owner may read
      // them.
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
      const saved = await context.saveArtifact({
        kind: "extracted_json",
        name: `${source}.json`,
        mediaType: "application/json",
        bytes: bytesOfJson,
      });
      const missing = checked.length - foundCount;
      const cut = document.truncated
        ? " The document is truncated, so they may be in the rest of it."
        : "";
      return {
        artifactId: saved.artifactId,
        name: source,
        digest,
        jsonArtifact: saved,
        foundCount,
        fieldCount: checked.length,
        fields: checked,
        ...(missing === 0
          ? {}
          : {
              note: `${missing} of ${checked.length} values were not found in the document and are marked.${cut}`,
            }),
      };
    },
  });
}

/** A value that is not in the document gets no confidence, however sure the model is. */
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
