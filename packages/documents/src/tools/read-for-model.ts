import type { ToolContext } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { forModel, untrustedNote } from "./for-model.ts";
import { defaultTiming, loadDocument, type DocumentReference } from "./load-document.ts";

/** For tools that bring bytes of their own, such as a web page: parsed apart like any file, and told like any file. */
export async function readForModel(
  { bytes, ...reference }: DocumentReference & { readonly bytes: Uint8Array },
  context: ToolContext,
): Promise<JsonObject> {
  return {
    note: untrustedNote,
    ...forModel(await loadDocument(bytes, reference, context, defaultTiming)),
  };
}
