import { BronError, defineTool, messageOf, type Tool } from "@bron/core";
import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf, ensureFolder } from "../home-folder.ts";
import { safeFileName } from "./safe-file-name.ts";

interface PreparedPost {
  readonly board: string;
  /** Exactly what is appended, without the line break. */
  readonly line: string;
  [key: string]: string;
}

/**
 * A stand-in for the outside until there are connectors: a board is a file that others could read. As the real outside it
 * does not notice repetitions; the ledger must. The mark at the end of a line is what reconcile looks for.
 */
export function createPostNote(folder: string): Tool {
  const marks = join(folder, ".attempts");
  /** The outer one first: what is made on the way to another folder may be entered by others. */
  const ensureFolders = async () => {
    await ensureFolder(folder);
    await ensureFolder(marks);
  };
  const pathOf = (board: string) => join(folder, `${safeFileName(board)}.txt`);
  return defineTool({
    name: "post_note",
    description:
      "Posts one line of text to a board where others can read it. It cannot be taken back.",
    input: z.object({
      board: z.string().min(1).max(60).describe("Name of the board, for example team"),
      text: z.string().min(1).max(2_000),
    }),
    sideEffect: true,
    label: "trusted",
    timeoutMs: 5_000,
    prepare: ({ board, text }, { actionId }) => {
      const words = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
      if (words === "") throw new BronError("invalid_arguments", "text: there is nothing to post.");
      const name = board.trim();
      safeFileName(name);
      // An action has one effect, and its id is known before the effect's own.
      const line = `${words} [bron:${actionId}]`;
      return { prepared: { board: name, line }, preview: `Post to the board "${name}": ${line}` };
    },
    execute: async ({ board, line }: PreparedPost, { actionId, attempt, signal }) => {
      await ensureFolders().catch(notDone);
      if (signal.aborted)
        throw new BronError("effect_not_done", "It was stopped before anything was posted.");
      // Synchronous: nothing comes between the mark and the write.
      if (!markOnce(join(marks, `${actionId}-${attempt}`)))
        throw new BronError(
          "effect_not_done",
          "This attempt was given up before it began; nothing was posted.",
        );
      const file = openBoard(pathOf(board));
      try {
        appendFileSync(file, `${line}\n`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      return { posted: true, board };
    },
    reconcile: async ({ board, line }: PreparedPost, { actionId, attempt }) => {
      await ensureFolders();
      // Whoever marks an attempt first decides: an attempt that is given up here cannot begin any more.
      if (markOnce(join(marks, `${actionId}-${attempt}`))) return { state: "not_done" };
      const path = pathOf(board);
      const mark = line.slice(line.lastIndexOf("[bron:"));
      const content = await readFile(path, "utf8").catch((error: unknown) => {
        if (codeOf(error) === "ENOENT") return "";
        throw new BronError(
          "tool_failed",
          `Look for the mark ${mark} in ${path}; Bron cannot read it (${messageOf(error)}).`,
          { cause: error },
        );
      });
      if (content.split("\n").includes(line))
        return { state: "done", output: { posted: true, board } };
      return {
        state: "unknown",
        check: `Look into ${path} for a line with the mark ${mark}: the post had begun, but the line is not there as it was approved.`,
      };
    },
  });
}

/** True for the first one only, whichever process asks. */
function markOnce(path: string): boolean {
  try {
    closeSync(openSync(path, "wx", 0o600));
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    return notDone(error);
  }
}

function openBoard(path: string): number {
  try {
    return openSync(path, "a", 0o600);
  } catch (error) {
    return notDone(error);
  }
}

function notDone(error: unknown): never {
  throw new BronError("effect_not_done", `Nothing was posted: ${messageOf(error)}`, {
    cause: error,
  });
}
