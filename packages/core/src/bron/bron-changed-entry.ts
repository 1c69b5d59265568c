import type { JsonObject } from "@bron/protocol";
import type { NewAudit } from "../ports/audit.ts";
import type { ChangedBronRow } from "../ports/brons.ts";

/** The audit entry of a changed Bron. It contains the new tools and model, but no text. */
export function bronChangedEntry(
  bronId: string,
  changes: ChangedBronRow,
  changed: readonly (keyof ChangedBronRow)[],
): NewAudit {
  const details: JsonObject = { bronId, changed: [...changed] };
  if (changed.includes("tools")) details["tools"] = changes.tools ? [...changes.tools] : null;
  if (changed.includes("model")) details["model"] = changes.model ?? null;
  if (changed.includes("skills")) details["skills"] = changes.skills ? [...changes.skills] : null;
  if (changed.includes("maxCostMicrousd"))
    details["maxCostMicrousd"] = changes.maxCostMicrousd ?? null;
  return { what: "bron.changed", by: "owner", details };
}
