import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tempFolder } from "@bron/testing";
import { callTool, effectContext } from "./call-tool.fixture.ts";
import { createNotes } from "./notes.ts";
import { nameOfFile, safeFileName } from "./safe-file-name.ts";

async function notesIn(folder: string) {
  const tools = new Map(createNotes(folder).map((tool) => [tool.name, tool]));
  return {
    write: (title: string, text: string) => callTool(tools.get("notes_write"), { title, text }),
    list: () => callTool(tools.get("notes_list"), {}),
    read: (title: string) => callTool(tools.get("notes_read"), { title }),
  };
}

test("writes, lists, reads and overwrites a note", async () => {
  const folder = join(await tempFolder(), "home/notes");
  const notes = await notesIn(folder);
  expect(await notes.list()).toEqual({ notes: [] });
  expect(await notes.write("Shopping", "milk")).toMatchObject({
    title: "Shopping",
    overwritten: false,
  });
  expect(await notes.write("shopping", "bread")).toMatchObject({
    title: "Shopping",
    overwritten: true,
  });
  expect(await notes.list()).toEqual({ notes: ["Shopping"] });
  expect(await notes.read("SHOPPING")).toEqual({ title: "Shopping", text: "bread" });
  expect(await readFile(join(folder, "Shopping.txt"), "utf8")).toBe("bread");
});

test("a title that looks like a path stays in the folder", async () => {
  const folder = await tempFolder();
  const notes = await notesIn(join(folder, "notes"));
  await notes.write("../../etc/passwd", "x");
  await notes.write("..", "y");
  expect(await readdir(folder)).toEqual(["notes"]);
  expect(await notes.list()).toEqual({ notes: ["..", "../../etc/passwd"] });
});

test("a missing note is reported with the existing ones", async () => {
  const notes = await notesIn(await tempFolder());
  await expect(notes.read("a")).rejects.toMatchObject({
    code: "not_found",
    message: expect.stringContaining("no notes yet"),
  });
  await notes.write("b", "");
  await expect(notes.read("a")).rejects.toMatchObject({
    message: 'Note "a" not found. Existing notes: b.',
  });
});

test("ignores files that are not notes, and leaves no drafts behind", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "a.b.txt"), "");
  await writeFile(join(folder, "%zz.txt"), "");
  const notes = await notesIn(folder);
  await notes.write("c", "1");
  expect(await notes.list()).toEqual({ notes: ["c"] });
  expect((await readdir(folder)).toSorted()).toEqual(["%zz.txt", "a.b.txt", "c.txt"]);
});

test("rejects a title that is too long for a file name", async () => {
  const notes = await notesIn(await tempFolder());
  await expect(notes.write("字".repeat(100), "")).rejects.toMatchObject({
    code: "invalid_arguments",
  });
});

test("every accepted name round-trips through a safe file name", { timeout: 10_000 }, () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }), (name) => {
      const encoded = encodeURIComponent(name.isWellFormed() ? name.normalize("NFC") : "");
      fc.pre(name.trim() !== "" && encoded.length > 0 && encoded.length < 150);
      const file = safeFileName(name);
      expect(file).toMatch(/^[A-Za-z0-9 _%-]+$/);
      expect(nameOfFile(file)).toBe(name.normalize("NFC").trim());
    }),
  );
});

test("keeps the text that a note had, however often it is attempted", async () => {
  const folder = await tempFolder();
  const [tool] = createNotes(folder);
  if (!tool) throw new Error("There is no tool");
  await writeFile(join(folder, "Shopping.txt"), "milk");
  const kept: string[] = [];
  const context = (attempt: number) =>
    effectContext({
      attempt,
      keepPrevious: async ({ bytes }) => void kept.push(new TextDecoder().decode(bytes)),
    });
  const { prepared } = await tool.prepare({ title: "shopping", text: "bread" }, context(1));
  await tool.execute(prepared, context(2));
  await tool.execute(prepared, context(3));
  expect(kept).toEqual(["milk"]);
});

test("restores every byte of a note that another program wrote", async () => {
  const folder = await tempFolder();
  const path = join(folder, "Shopping.txt");
  const [tool] = createNotes(folder);
  if (!tool?.restore) throw new Error("There is no tool");
  // A byte order mark, and a letter in Latin-1.
  const before = Buffer.from([0xef, 0xbb, 0xbf, 0x4d, 0xfc, 0x6c, 0x6c, 0x0a]);
  await writeFile(path, before);
  let kept: Uint8Array = new Uint8Array();
  const context = effectContext({ keepPrevious: async ({ bytes }) => void (kept = bytes) });
  const { prepared } = await tool.prepare({ title: "shopping", text: "bread" }, context);
  await tool.execute(prepared, context);
  const { signal } = new AbortController();
  expect(await tool.restore(prepared, kept, { ownerId: "local", signal })).toBe("restored");
  expect(await readFile(path)).toEqual(before);
});

test("restores the text that a note had, unless it changed since", async () => {
  const folder = await tempFolder();
  const path = join(folder, "Shopping.txt");
  const [tool] = createNotes(folder);
  if (!tool?.restore) throw new Error("There is no tool");
  await writeFile(path, "milk");
  const { prepared } = await tool.prepare({ title: "shopping", text: "bread" }, effectContext());
  await tool.execute(prepared, effectContext());
  const { signal } = new AbortController();
  const restore = () =>
    tool.restore?.(prepared, new TextEncoder().encode("milk"), { ownerId: "local", signal });
  await writeFile(path, "bread and eggs");
  expect(await restore()).toBe("changed");
  expect(await readFile(path, "utf8")).toBe("bread and eggs");
  await writeFile(path, "bread");
  expect(await restore()).toBe("restored");
  expect(await readFile(path, "utf8")).toBe("milk");
  expect(await restore()).toBe("restored");
  await rm(path);
  expect(await restore()).toBe("changed");
});
