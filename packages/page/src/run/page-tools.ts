import { defineClientTool, type Tool } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { z } from "zod";
import type { PageToolDefinition } from "../wire.ts";

/** A page that the visitor left open may answer later. The state expires before that. */
const deadlineMs = 24 * 3_600_000;

/**
 * The tools that run in the page. Other people may have written what the page contains, so their
 * results are untrusted. The page itself asks the visitor before anything that matters.
 */
export function pageTools(definitions: readonly PageToolDefinition[]): readonly Tool[] {
  return definitions.map(({ name, description, inputSchema }) =>
    defineClientTool({
      name,
      description,
      input: inputSchema as JsonObject,
      output: z.json(),
      program: "page",
      deadlineMs,
      ifExpired: "unknown",
      label: { origin: "page" },
      parallelSafe: true,
    }),
  );
}
