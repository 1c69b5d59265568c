import type { Tool } from "@bron/core";
import { createDocumentCache } from "./document-cache.ts";
import { documentFieldsTool } from "./document-fields.ts";
import { documentReadTool } from "./document-read.ts";
import { emitUiTool } from "./emit-ui.ts";
import { defaultTiming, type Timing } from "./load-document.ts";

/** The document tools, which share a cache of recently parsed documents. */
export function documentTools(timing: Timing = defaultTiming): Tool[] {
  const cache = createDocumentCache();
  return [documentReadTool(cache, timing), documentFieldsTool(cache, timing), emitUiTool()];
}
