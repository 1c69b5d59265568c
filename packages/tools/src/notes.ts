import { BronError, defineTool, type Tool } from "@bron/core";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf, ensureFolder, replaceFile } from "@bron/files";
import { nameOfFile, safeFileName } from "./safe-file-name.ts";

const extension = ".txt";
const maxTextLength = 100_000;
const title = z.string().min(1).max(200);

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
    const same = (a: string) => a.normalize("NFC").trim().toLowerCase();
    return (await titles()).find((known) => same(known) === same(wanted));
  };
  const pathOf = (known: string) => join(folder, `${safeFileName(known)}${extension}`);

  return [
    defineTool({
      name: "notes_write",
      label: "trusted",
      description: "Writes a note. A note with the same title is overwritten.",
      input: z.object({ title, text: z.string().max(maxTextLength) }),
      repeatable: true,
      execute: async ({ title: wanted, text }) => {
        await ensureFolder(folder);
        const known = await find(wanted);
        await replaceFile(pathOf(known ?? wanted), text);
        return {
          title: known ?? wanted.trim(),
          characters: text.length,
          overwritten: known !== undefined,
        };
      },
    }),
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
