import { z } from "zod";
import {
  maxMemoryCharacters,
  memoryEntrySchema,
  memoryKindSchema,
  memoryStateSchema,
} from "../memory.ts";
import { emptyBodySchema, endpoints, idPrefixSchema, limitSchema, pageOf } from "./endpoint.ts";

const text = z.string().trim().min(1).max(maxMemoryCharacters);

/** Only the owner changes what is remembered: a confirmed entry is read without a label. */
const change = {
  tag: "Memory",
  scope: "manage",
  alsoScope: "speak",
  response: memoryEntrySchema,
} as const;

const memoryExportSchema = z.object({
  format: z.literal("bron-memory-1"),
  entries: z.array(memoryEntrySchema),
  summaries: z.array(z.object({ bronId: z.uuid(), bron: z.string(), summary: z.string() })),
});

export const memoryApi = endpoints({
  "GET /api/memory": {
    summary:
      "List what is remembered, newest first. `query` searches the texts; the last word may be the beginning of one. By default, what was forgotten is left out.",
    tag: "Memory",
    scope: "read",
    query: z.object({
      state: memoryStateSchema.optional(),
      /** The entries that this Bron uses: its own, and those for all. */
      bronId: z.uuid().optional(),
      query: z.string().max(200).optional(),
      idPrefix: idPrefixSchema.optional(),
      limit: limitSchema,
      before: z.uuid().optional(),
    }),
    response: pageOf("entries", memoryEntrySchema, z.uuid()),
  },
  "POST /api/memory": {
    summary: "Add a statement to the memory. The same text twice is one entry.",
    ...change,
    body: z.strictObject({
      text,
      kind: memoryKindSchema.default("fact"),
      /** Null: all Brons remember it. */
      bronId: z.uuid().nullable().default(null),
    }),
    status: 201,
  },
  "GET /api/memory/export": {
    summary: "Export all entries that are not forgotten, and the summary of each Bron.",
    tag: "Memory",
    scope: "read",
    response: memoryExportSchema,
  },
  "GET /api/memory/:id": {
    summary: "Get a statement with its source.",
    tag: "Memory",
    scope: "read",
    response: memoryEntrySchema,
  },
  "PATCH /api/memory/:id": {
    summary:
      "Correct a statement, or say which Brons use it. A suggestion stays one until it is confirmed.",
    ...change,
    body: z
      .strictObject({ text, kind: memoryKindSchema, bronId: z.uuid().nullable() })
      .partial()
      .refine((changes) => Object.values(changes).some((value) => value !== undefined), {
        message: "Name at least one change.",
      }),
  },
  "POST /api/memory/:id/confirm": {
    summary: "Confirm a suggestion. From then on it counts as true.",
    ...change,
    body: emptyBodySchema,
  },
  "POST /api/memory/:id/forget": {
    summary: "Forget a statement: its text, and the sentences of the summaries that contain it.",
    ...change,
    body: emptyBodySchema,
  },
});
