import type { ToolContext } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { forModel, untrustedNote } from "./for-model.ts";
import { defaultTiming, loadDocument, type DocumentReference } from "./load-document.ts";

/**
 * Reads bytes from another source, such as a web page, with the same isolation and output as any
 * file.
 */
export async function readForModel(
  { bytes, ...reference }: DocumentReference & { readonly bytes: Uint8Array },
  context: ToolContext,
): Promise<JsonObject> {
  return {
    note: untrustedNote,
    ...forModel(await loadDocument(bytes, reference, context, defaultTiming)),
  };
}
