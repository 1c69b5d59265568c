import { BronError, contentValues, defineTool, type EffectFacts, type Tool } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf, ensureFolder, replaceFile } from "@bron/files";
import { nameOfFile, safeFileName } from "./safe-file-name.ts";

const extension = ".txt";
const maxTextLength = 100_000;
const title = z.string().min(1).max(200);

interface NoteFiles {
  readonly folder: string;
  /** The title of an existing note, as it is spelled. */
  readonly find: (title: string) => Promise<string | undefined>;
  readonly pathOf: (title: string) => string;
}

interface PreparedNote extends JsonObject {
  title: string;
  text: string;
  /** There is such a note. Its text is kept as a file of the run. */
  overwrites: boolean;
  /** This run did not write that note, so the owner's words must mention it. */
  isOwners: boolean;
}

const noteId = (text: string) => text.normalize("NFC").trim().toLowerCase();

/** The owner alone sees notes, and a note may be all that they have of a text. */
function noteWriteTool({ folder, find, pathOf }: NoteFiles): Tool {
  return defineTool({
    name: "notes_write",
    description: "Writes a note. A note with the same title is overwritten.",
    input: z.object({ title, text: z.string().max(maxTextLength) }),
    sideEffect: true,
    seenBy: "owner",
    effectKind: "write_note",
    label: "trusted",
    timeoutMs: 5_000,
    facts: noteFacts,
    async findMention(query) {
      if (!("kind" in query) || query.kind !== "note") return [];
      const words = query.words.replace(/^(?:the|my|our)\s+/i, "").replace(/\s+note$/i, "");
      const known = (await find(query.words)) ?? (await find(words));
      return known === undefined ? [] : [noteId(known)];
    },
    wrote: ({ title: name }) => [{ kind: "note", id: noteId(name) }],
    async prepare({ title: wanted, text }, { runId, writersOf }) {
      const known = await find(wanted);
      const name = known ?? wanted.trim();
      const writers = await writersOf({ kind: "note", id: noteId(name) });
      const prepared: PreparedNote = {
        title: name,
        text,
        overwrites: known !== undefined,
        isOwners: !writers.some((writer) => writer.runId === runId),
      };
      const verb = prepared.overwrites ? "Replace" : "Write";
      return { prepared, preview: `${verb} the note "${name}": ${text}` };
    },
    async execute({ title: name, text, overwrites }: PreparedNote, { keepPrevious }) {
      await ensureFolder(folder);
      const before = await readNote(pathOf(name));
      if (before && !before.equals(Buffer.from(text)))
        await keepPrevious({
          name: `${name} (before).txt`,
          mediaType: "text/plain; charset=utf-8",
          bytes: new Uint8Array(before),
        });
      await replaceFile(pathOf(name), text);
      return { title: name, characters: text.length, overwritten: overwrites };
    },
    async reconcile({ title: name, text, overwrites }: PreparedNote) {
      return (await readNote(pathOf(name)))?.equals(Buffer.from(text)) === true
        ? {
            state: "done",
            output: { title: name, characters: text.length, overwritten: overwrites },
          }
        : { state: "not_done" };
    },
    async restore({ title: name, text }, previous) {
      const now = await readNote(pathOf(name));
      if (now?.equals(previous) === true) return "restored";
      if (now?.equals(Buffer.from(text)) !== true) return "changed";
      await replaceFile(pathOf(name), previous);
      return "restored";
    },
  });
}

function noteFacts({ title: name, text, overwrites, isOwners }: PreparedNote): EffectFacts {
  return {
    kind: "other",
    account: "",
    recipients: [],
    ...contentValues(`${name}\n${text}`),
    otherTexts: [name, text],
    attachments: [],
    warnings: [],
    things: overwrites && isOwners ? [{ kind: "note", id: noteId(name), title: name }] : [],
  };
}

/** Other programs write notes too, in any encoding, so notes are compared by their bytes. */
async function readNote(path: string): Promise<Buffer | undefined> {
  return await readFile(path).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  });
}

/** Stores each note as a plain text file, named after its title. */
export function createNotes(folder: string): readonly Tool[] {
  const titles = async (): Promise<string[]> => {
    const files = await readdir(folder).catch((error: unknown) => {
      if (codeOf(error) === "ENOENT") return [];
      throw error;
    });
    return files
      .filter((file) => file.endsWith(extension))
      .flatMap((file) => nameOfFile(file.slice(0, -extension.length)) ?? [])
      .toSorted((a, b) => a.localeCompare(b));
  };
  /** Ignores case, because many file systems do too. */
  const find = async (wanted: string): Promise<string | undefined> => {
    return (await titles()).find((known) => noteId(known) === noteId(wanted));
  };
  const pathOf = (known: string) => join(folder, `${safeFileName(known)}${extension}`);

  return [
    noteWriteTool({ folder, find, pathOf }),
    defineTool({
      name: "notes_list",
      description: "Lists the titles of all notes.",
      input: z.object({}),
      repeatable: true,
      parallelSafe: true,
      execute: async () => ({ notes: await titles() }),
    }),
    defineTool({
      name: "notes_read",
      description: "Reads a note by its title.",
      input: z.object({ title }),
      repeatable: true,
      parallelSafe: true,
      execute: async ({ title: wanted }) => {
        const known = await find(wanted);
        if (known !== undefined)
          return { title: known, text: await readFile(pathOf(known), "utf8") };
        const all = await titles();
        throw new BronError(
          "not_found",
          `Note "${wanted}" not found. ${all.length === 0 ? "There are no notes yet." : `Existing notes: ${all.slice(0, 20).join(", ")}${all.length > 20 ? ", …" : "."}`}`,
        );
      },
    }),
  ];
}
