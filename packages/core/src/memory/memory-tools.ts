import {
  maxMemoryCharacters,
  memoryKinds,
  omitUndefined,
  type JsonObject,
  type JsonValue,
  type Label,
  type MemorySource,
  type Origin,
  type SourceItem,
} from "@bron/protocol";
import { z } from "zod";
import { cleanText } from "../context/clean-text.ts";
import type { RunLabels } from "../policy/run-labels.ts";
import type { FoundStatement, Memory, MemoryEmbeddings } from "../ports/memory.ts";
import { defineTool } from "../tool/define-tool.ts";
import { textOf } from "../tool/label-parts.ts";
import type { Tool } from "../tool/tool.ts";
import { isSaidByOwner } from "./said-by-owner.ts";
import { memoryTerms } from "./memory-words.ts";

const saveMemoryName = "save_memory";
const searchMemoryName = "search_memory";
/** The tools of a Bron with memory. They are not offered while it is switched off. */
export const memoryToolNames: ReadonlySet<string> = new Set([saveMemoryName, searchMemoryName]);

const maxMemoryOfRun = 10;
const maxFound = 8;
const maxItems = 3;

interface MemoryToolsDeps {
  readonly memory: Pick<Memory, "note" | "search" | "get">;
  readonly embeddings?: MemoryEmbeddings | undefined;
}

/** Tools with which a Bron notes what it learns about the owner, and finds it again. */
export const memoryTools = (deps: MemoryToolsDeps): Tool[] => [saveTool(deps), searchTool(deps)];

function saveTool({ memory }: Pick<MemoryToolsDeps, "memory">): Tool {
  return defineTool({
    name: saveMemoryName,
    description: `Remembers one short statement about the user for later tasks, such as a preference, a fact, a person or a standing wish. Use the user's own words if they asked to remember something. What you learned from mail, files or pages becomes a suggestion that the user confirms. At most ${maxMemoryOfRun} in a task. Never save passwords, codes or other secrets.`,
    input: z.object({
      text: z.string().trim().min(1).max(maxMemoryCharacters).describe("One statement"),
      kind: z.enum(memoryKinds).default("fact"),
    }),
    label: "trusted",
    repeatable: true,
    reuseOnRetry: false,
    async execute({ text, kind }, { ownerId, bronId, runId, actionId, labels }) {
      const read = await labels();
      const isOwners = isSaidByOwner(text, read);
      const isTrusted = isOwners || read.untrusted.length === 0;
      const source = isTrusted ? { origins: [], items: [] } : sourceOf(read);
      const noted = await memory.note({
        ownerId,
        bronId,
        text: cleanText(text),
        kind,
        state: isTrusted ? "confirmed" : "suggested",
        source: { runId, actionId, ...source },
        label: isTrusted ? null : labelOf(source),
        isOwners,
        maxOfRun: maxMemoryOfRun,
      });
      if (noted === "limit")
        return { saved: false, why: `A task can save at most ${maxMemoryOfRun} statements.` };
      if (noted === "forgotten")
        return { saved: false, why: "The user has removed this statement from the memory." };
      const { state } = noted.entry;
      return state === "confirmed"
        ? { saved: true, state }
        : {
            saved: true,
            state,
            note: "The user confirms it on the page Memory before it is used.",
          };
    },
  });
}

function searchTool({ memory, embeddings }: MemoryToolsDeps): Tool {
  return defineTool({
    name: searchMemoryName,
    description:
      "Searches what is remembered about the user. Give it a question or a few words, in the language in which the user would have said it. Statements that the user has not confirmed are shown only if nothing else matches, or with unconfirmed: true; others may have written them.",
    input: z.object({
      query: z.string().trim().min(1).max(500),
      unconfirmed: z.boolean().default(false),
    }),
    label: {
      origin: originOf,
      isTrusted: (output) => suggestionsIn(output).length === 0,
      parts: (output) =>
        suggestionsIn(output).flatMap(({ entry, index }) => {
          const item = itemOf(entry);
          return item ? [{ path: ["statements", index], item }] : [];
        }),
    },
    repeatable: true,
    parallelSafe: true,
    reuseOnRetry: false,
    async execute({ query, unconfirmed }, { ownerId, bronId }) {
      const terms = memoryTerms(query);
      const limit = maxFound * 2;
      const [byWords, near = []] = await Promise.all([
        memory.search(ownerId, { bronId, terms, limit }),
        embeddings?.nearest(ownerId, { bronId, question: query, limit }),
      ]);
      // A label is stored with the entry, so an id that only an embedding found counts if words find it.
      const found = byMeaning(byWords, near);
      const confirmed = found.filter(({ entry }) => entry.state === "confirmed");
      const suggested = found.filter(({ entry }) => entry.state === "suggested");
      const shown =
        unconfirmed || confirmed.length === 0 ? [...confirmed, ...suggested] : confirmed;
      const hidden = shown === confirmed ? suggested.length : 0;
      return {
        statements: shown.slice(0, maxFound).map(statementView),
        ...(hidden > 0 ? { unconfirmed: hidden } : {}),
      };
    },
  });
}

/** What is close in meaning first, then what has the words. */
function byMeaning(found: readonly FoundStatement[], near: readonly string[]): FoundStatement[] {
  const place = (id: string) => (near.includes(id) ? near.indexOf(id) : near.length);
  return found.toSorted((a, b) => place(a.entry.id) - place(b.entry.id));
}

function statementView({ entry, label }: FoundStatement): JsonObject {
  const { text, kind, state, source, updatedAt } = entry;
  const [item] = source?.items ?? [];
  return {
    text,
    kind,
    state,
    date: updatedAt.slice(0, 10),
    ...(state === "suggested"
      ? { from: label?.origin ?? "memory", ...(item ? { source: omitUndefined({ ...item }) } : {}) }
      : {}),
  };
}

/** What untrusted text a suggestion may come from, as the run has read it. The newest first. */
function sourceOf({ untrusted }: RunLabels): Pick<MemorySource, "origins" | "items"> {
  const newestFirst = untrusted.toReversed();
  const items = newestFirst.flatMap(({ item }) => item ?? []);
  const isNew = (text: string, index: number, all: readonly string[]) =>
    all.indexOf(text) === index;
  const texts = items.map((item) => JSON.stringify(item)).filter(isNew);
  return {
    origins: [...new Set(newestFirst.map(({ origin }) => origin))],
    items: texts
      .slice(0, maxItems)
      .map((text) => JSON.parse(text) as MemorySource["items"][number]),
  };
}

/** A statement about the owner is private, also if a page says it. */
function labelOf({ origins }: Pick<MemorySource, "origins">): Label {
  return { origin: origins[0] ?? "memory", trusted: false, private: true, readers: [] };
}

interface SuggestionInOutput {
  readonly entry: JsonObject;
  readonly index: number;
}

/** An output that is a preview of a longer one has no entries that can be told apart. */
function suggestionsIn(output: JsonValue): SuggestionInOutput[] {
  const statements = isObject(output) ? output["statements"] : undefined;
  if (!Array.isArray(statements)) return [{ entry: {}, index: 0 }];
  return statements.flatMap((entry, index) =>
    isObject(entry) && entry["state"] === "confirmed"
      ? []
      : [{ entry: isObject(entry) ? entry : {}, index }],
  );
}

function originOf(output: JsonValue): Origin {
  const [first, ...others] = suggestionsIn(output).map(({ entry }) => entry["from"] as Origin);
  return first !== undefined && others.every((origin) => origin === first) ? first : "memory";
}

function itemOf({ source = null }: JsonObject): SourceItem | undefined {
  if (!isObject(source)) return undefined;
  const author = textOf(source, "author");
  const date = textOf(source, "date");
  return {
    kind: textOf(source, "kind") as SourceItem["kind"],
    title: textOf(source, "title"),
    ...(author === "" ? {} : { author }),
    ...(date === "" ? {} : { date }),
  };
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
