import { z } from "zod";
import { sourceItemSchema } from "./source-item.ts";
import { origins } from "./trust.ts";

/** What a remembered statement is about. */
export const memoryKinds = ["fact", "preference", "person", "rule"] as const;
export type MemoryKind = (typeof memoryKinds)[number];
export const memoryKindSchema = z.enum(memoryKinds);

/**
 * `suggested`: a model wrote it while text of others was in view. It is not used before the owner
 * confirms it. `forgotten`: its text is gone.
 */
export const memoryStates = ["suggested", "confirmed", "forgotten"] as const;
export type MemoryState = (typeof memoryStates)[number];
export const memoryStateSchema = z.enum(memoryStates);

const memoryAuthors = ["owner", "bron"] as const;

export const maxMemoryCharacters = 1_000;
/** A summary has at most 2 KB, and one that had 0.5 KB keeps that. */
export const maxSummaryBytes = 2_048;
export const minSummaryBytes = 512;

/** The task in which a Bron noted a statement, and what it had read by then. */
const memorySourceSchema = z.object({
  runId: z.uuid(),
  actionId: z.string(),
  /** Where the text may come from. Empty if only the owner's words were in view. */
  origins: z.array(z.enum(origins)).readonly(),
  /** What a person recognizes it by, newest first. */
  items: z.array(sourceItemSchema).readonly(),
});
export type MemorySource = Readonly<z.infer<typeof memorySourceSchema>>;

export const memoryEntrySchema = z.object({
  id: z.uuid(),
  /** Empty once it is forgotten. */
  text: z.string(),
  kind: memoryKindSchema,
  state: memoryStateSchema,
  author: z.enum(memoryAuthors),
  /** Null: all Brons remember it. */
  bronId: z.uuid().nullable(),
  /** Null if the owner wrote it. */
  source: memorySourceSchema.nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type MemoryEntry = Readonly<z.infer<typeof memoryEntrySchema>>;
