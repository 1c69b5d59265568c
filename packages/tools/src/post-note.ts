import {
  BronError,
  defineTool,
  contentValues,
  messageOf,
  type EffectFacts,
  type Tool,
} from "@bron/core";
import { appendFileSync, closeSync, fsyncSync, openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { codeOf, ensureFolder } from "@bron/files";
import { safeFileName } from "./safe-file-name.ts";

interface PreparedPost {
  readonly board: string;
  /** The exact line to append, without the line break. */
  readonly line: string;
  [key: string]: string;
}

/**
 * An effect that works without an account: it appends a line to a board, which is a file. Like a
 * real service, a board accepts duplicates, so the ledger must prevent them. `reconcile` looks for
 * the mark at the end of the line.
 */
export function createPostNote(folder: string): Tool {
  const marks = join(folder, ".attempts");
  /**
   * Creates the outer folder first, because parents that are created implicitly are not private.
   */
  const ensureFolders = async () => {
    await ensureFolder(folder);
    await ensureFolder(marks);
  };
  const pathOf = (board: string) => join(folder, `${safeFileName(board)}.txt`);
  return defineTool({
    name: "post_note",
    description: "Posts one line of text to a board where others can read it. It cannot be undone.",
    input: z.object({
      board: z.string().min(1).max(60).describe("Name of the board, for example team"),
      text: z.string().min(1).max(2_000),
    }),
    sideEffect: true,
    effectKind: "post",
    label: "trusted",
    facts: postFacts,
    findMention: async (query) =>
      "kind" in query && query.kind === "channel" ? [boardOf(query.words)] : [],
    timeoutMs: 5_000,
    prepare: ({ board, text }, { actionId }) => {
      const words = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
      if (words === "") throw new BronError("invalid_arguments", "text: there is nothing to post.");
      const name = board.trim();
      safeFileName(name);
      // Uses the action's id, because an action has exactly one effect and its id is known earlier.
      const line = `${words} [bron:${actionId}]`;
      return { prepared: { board: name, line }, preview: `Post to the board "${name}": ${words}` };
    },
    execute: async ({ board, line }: PreparedPost, { actionId, attempt, signal }) => {
      await ensureFolders().catch(notDone);
      if (signal.aborted)
        throw new BronError("effect_not_done", "Stopped before anything was posted.");
      // Synchronous, so that nothing can run between the mark and the write.
      if (!markOnce(join(marks, `${actionId}-${attempt}`)))
        throw new BronError(
          "effect_not_done",
          "This attempt was abandoned before it started. Nothing was posted.",
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
      // The first to mark an attempt wins. An attempt that is abandoned here can no longer start.
      if (markOnce(join(marks, `${actionId}-${attempt}`))) return { state: "not_done" };
      const path = pathOf(board);
      const mark = line.slice(line.lastIndexOf("[bron:"));
      const content = await readFile(path, "utf8").catch((error: unknown) => {
        if (codeOf(error) === "ENOENT") return "";
        throw new BronError(
          "tool_failed",
          `Bron can't read ${path} (${messageOf(error)}). Look for the mark ${mark} in it.`,
          { cause: error },
        );
      });
      if (content.split("\n").includes(line))
        return { state: "done", output: { posted: true, board } };
      return {
        state: "unknown",
        check: `Look for a line with the mark ${mark} in ${path}. The post had started, but the approved line is not there.`,
      };
    },
  });
}

function postFacts({ board, line }: PreparedPost): EffectFacts {
  return {
    kind: "other",
    account: "",
    recipients: [],
    ...contentValues(line),
    text: line.slice(0, line.lastIndexOf(" [bron:")),
    attachments: [],
    warnings: [],
    things: [{ kind: "channel", id: board.toLowerCase(), title: board }],
  };
}

/** The name of the board that the owner's words mention: "the board Team" or "#team". */
function boardOf(words: string): string {
  const name = words.replaceAll(/\b(?:the|my|our|board|channel)\b|#/giu, " ").trim();
  return (name === "" ? words.trim() : name).toLowerCase();
}

/** Returns true only for the first caller, across all processes. */
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
