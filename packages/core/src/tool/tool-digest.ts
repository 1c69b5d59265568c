import type { JsonObject } from "@bron/protocol";
import { canonicalJson } from "../policy/canonical-json.ts";
import type { ToolServer } from "./tool.ts";

/** What a model and a policy know of a tool. Its code is not part of it. */
interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputJsonSchema: JsonObject;
  readonly sideEffect: boolean;
  readonly seenBy: "owner" | "others";
  readonly repeatable: boolean;
  readonly server?: ToolServer;
}

/**
 * Bytes of SHA-256 that a digest keeps. A log holds the digests of all tools of a run, so they are
 * short. Two definitions with the same digest cannot be found with fewer than 2^72 tries.
 */
const keptBytes = 18;

/** The digest of a tool's definition, in base64url. */
export async function toolDigest(definition: ToolDefinition): Promise<string> {
  const { name, description, inputJsonSchema, sideEffect, seenBy, repeatable, server } = definition;
  const text = canonicalJson({
    name,
    description,
    inputJsonSchema,
    sideEffect,
    seenBy,
    repeatable,
    server,
  });
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const kept = String.fromCharCode(...new Uint8Array(bytes, 0, keptBytes));
  return btoa(kept).replaceAll("+", "-").replaceAll("/", "_");
}
