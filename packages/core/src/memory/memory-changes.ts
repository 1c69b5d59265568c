import type { MemoryEntry } from "@bron/protocol";
import { BronError, requestError } from "../errors.ts";
import type { NewAudit } from "../ports/audit.ts";

/** Audit entries and errors of the memory. An entry never contains the text. */

type Changed = Pick<MemoryEntry, "id" | "bronId">;

const entry = (what: NewAudit["what"], { id, bronId }: Changed, changed?: string[]): NewAudit => ({
  what,
  by: "owner",
  details: { memoryId: id, bronId, ...(changed ? { changed } : {}) },
});

export const memoryAddedEntry = (added: Changed) => entry("memory.added", added);
export const memoryChangedEntry = (changed: Changed, names: string[]) =>
  entry("memory.changed", changed, names);
export const memoryConfirmedEntry = (confirmed: Changed) => entry("memory.confirmed", confirmed);
export const memoryForgottenEntry = (forgotten: Changed) => entry("memory.forgotten", forgotten);

export function summaryUndoneEntry(bronId: string): NewAudit {
  return { what: "memory.summary_undone", by: "owner", details: { bronId } };
}

export function memoryNotFound(id: string): BronError {
  return new BronError("not_found", `Memory ${id} not found.`);
}

export function bronNotFound(id: string): BronError {
  return new BronError("not_found", `Bron ${id} not found.`);
}

export function memoryIsForgotten(): BronError {
  return requestError("invalid_input", { code: "memory_forgotten" });
}

export function memoryTextTaken(): BronError {
  return requestError("conflict", { code: "memory_exists" });
}

export function nothingToUndo(): BronError {
  return requestError("conflict", { code: "nothing_to_undo" });
}
