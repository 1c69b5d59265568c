import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "@bron/testing";
import { effectContext } from "./call-tool.fixture.ts";
import { createPostNote } from "./post-note.ts";

test("prepares the line with the mark of its action, and previews it without the mark", async () => {
  const tool = createPostNote(await tempFolder());
  expect(
    await tool.prepare(
      { board: " team ", text: "Lunch\nat\u001B[31m noon " },
      effectContext({ actionId: "a-1" }),
    ),
  ).toEqual({
    prepared: { board: "team", line: "Lunch at [31m noon [bron:a-1]" },
    preview: 'Post to the board "team": Lunch at [31m noon',
  });
});

test("appends the prepared line and nothing else", async () => {
  const folder = join(await tempFolder(), "boards");
  const tool = createPostNote(folder);
  await tool.execute({ board: "team", line: "one [bron:a-1]" }, effectContext({ actionId: "a-1" }));
  await tool.execute({ board: "team", line: "two [bron:a-2]" }, effectContext({ actionId: "a-2" }));
  expect(await readFile(join(folder, "team.txt"), "utf8")).toBe("one [bron:a-1]\ntwo [bron:a-2]\n");
});

test("reports effect_not_done when it is stopped early or the board cannot be opened", async () => {
  const folder = await tempFolder();
  const tool = createPostNote(folder);
  const prepared = { board: "team", line: "one [bron:a-1]" };
  await expect(
    tool.execute(prepared, effectContext({ signal: AbortSignal.abort() })),
  ).rejects.toMatchObject({ code: "effect_not_done" });
  await mkdir(join(folder, "team.txt"));
  await expect(tool.execute(prepared, effectContext())).rejects.toMatchObject({
    code: "effect_not_done",
  });
  await expect(
    createPostNote("/dev/null/boards").execute(prepared, effectContext()),
  ).rejects.toMatchObject({ code: "effect_not_done" });
});

test("finds by the mark whether a line was posted", async () => {
  const folder = await tempFolder();
  const tool = createPostNote(folder);
  const prepared = { board: "team", line: "one [bron:a-1]" };
  await tool.execute(prepared, effectContext());
  expect(await tool.reconcile?.(prepared, effectContext())).toMatchObject({ state: "done" });
  await writeFile(join(folder, "team.txt"), "changed [bron:a-1]\n");
  expect(await tool.reconcile?.(prepared, effectContext())).toMatchObject({
    state: "unknown",
    check: expect.stringContaining("team.txt"),
  });
});

test("an attempt that was reported as not done cannot run anymore, and the next one can", async () => {
  const folder = await tempFolder();
  const tool = createPostNote(folder);
  const prepared = { board: "team", line: "one [bron:a-1]" };
  expect(await tool.reconcile?.(prepared, effectContext({ attempt: 1 }))).toEqual({
    state: "not_done",
  });
  await expect(tool.execute(prepared, effectContext({ attempt: 1 }))).rejects.toMatchObject({
    code: "effect_not_done",
  });
  await tool.execute(prepared, effectContext({ attempt: 2 }));
  expect(await readFile(join(folder, "team.txt"), "utf8")).toBe("one [bron:a-1]\n");
});
