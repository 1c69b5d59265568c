import { cleanText, memoryWords, memoryNotFound, type Brons, type Memory } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { Created, nextOf, type ServicesOf } from "./service.ts";

type MemoryKeys =
  | "GET /api/memory"
  | "POST /api/memory"
  | "GET /api/memory/export"
  | "GET /api/memory/:id"
  | "PATCH /api/memory/:id"
  | "POST /api/memory/:id/confirm"
  | "POST /api/memory/:id/forget";

interface MemoryServicesDeps {
  readonly memory: Memory;
  readonly brons: Pick<Brons, "list">;
}

const exportPage = 200;

/** What Brons remember. Only the owner adds, corrects, confirms and forgets here. */
export function memoryServices({ memory, brons }: MemoryServicesDeps): ServicesOf<MemoryKeys> {
  return {
    async "GET /api/memory"({ caller: { ownerId }, query: { query = "", ...options } }) {
      const words = memoryWords(cleanText(query));
      // Words without a letter or a digit are in no text.
      if (query.trim() !== "" && words.length === 0) return { entries: [], next: null };
      const entries = await memory.list(ownerId, { ...options, words });
      return { entries, next: nextOf(entries, options.limit) };
    },
    async "POST /api/memory"({ caller: { ownerId }, body: { text, kind, bronId } }) {
      const entry = await memory.add(ownerId, { text: cleanText(text), kind, bronId });
      return new Created(entry, `/api/memory/${entry.id}`);
    },
    async "GET /api/memory/export"({ caller: { ownerId } }) {
      const [entries, all] = await Promise.all([allEntries(memory, ownerId), brons.list(ownerId)]);
      const summaries = all
        .filter(({ memorySummary }) => memorySummary !== "")
        .map(({ id, name, memorySummary }) => ({ bronId: id, bron: name, summary: memorySummary }));
      return { format: "bron-memory-1", entries, summaries };
    },
    async "GET /api/memory/:id"({ caller: { ownerId }, params: { id } }) {
      const entry = await memory.get(ownerId, id);
      if (!entry) throw memoryNotFound(id);
      return entry;
    },
    async "PATCH /api/memory/:id"({ caller: { ownerId }, params: { id }, body }) {
      const text = body.text === undefined ? undefined : cleanText(body.text);
      return await memory.change(ownerId, id, omitUndefined({ ...body, text }));
    },
    "POST /api/memory/:id/confirm": ({ caller: { ownerId }, params: { id } }) =>
      memory.confirm(ownerId, id),
    "POST /api/memory/:id/forget": ({ caller: { ownerId }, params: { id } }) =>
      memory.forget(ownerId, id),
  };
}

async function allEntries(memory: Pick<Memory, "list">, ownerId: string) {
  const entries = [];
  for (let before: string | undefined; ;) {
    const page = await memory.list(ownerId, { limit: exportPage, before });
    entries.push(...page);
    before = page.length === exportPage ? page.at(-1)?.id : undefined;
    if (before === undefined) return entries;
  }
}
