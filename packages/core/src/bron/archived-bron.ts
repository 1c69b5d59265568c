import type { NewAudit } from "../ports/audit.ts";
import { BronError } from "../errors.ts";

/** The name of the Bron that every new owner has. */
export const defaultBronName = "Assistant";

export function bronIsArchived(name: string): BronError {
  return new BronError(
    "invalid_input",
    `${name} is archived and takes no new tasks. Restore it, or choose another Bron.`,
  );
}

export function defaultBronStays(): BronError {
  return new BronError("conflict", "The default Bron can't be archived.");
}

export function bronArchivedEntry(bronId: string, name: string, isArchived: boolean): NewAudit {
  return {
    what: isArchived ? "bron.archived" : "bron.restored",
    by: "owner",
    details: { bronId, name },
  };
}
