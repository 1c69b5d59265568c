import type { Writer, WrittenThing } from "@bron/protocol";

/**
 * Which runs wrote the drafts and notes of an owner. An entry is made in the append that
 * ends the effect, and stays when the run is deleted: the text that a run wrote is not the owner's,
 * however long ago it was written. Every call names the owner.
 */
export interface WrittenThingsPort {
  /** No writers: the owner made it, or a program other than Bron. */
  writersOf(ownerId: string, thing: WrittenThing): Promise<readonly Writer[]>;
}
