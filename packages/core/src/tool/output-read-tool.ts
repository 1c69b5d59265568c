import { z } from "zod";
import { boundaryAfter, boundaryBefore } from "../context/cut-text.ts";
import { BronError } from "../errors.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

export const outputReadName = "output_read";

/** Below the length at which an output is kept, so that a range never is. */
const maxCharacters = 20_000;
const maxLines = 1_000;

/**
 * Reads a part of an output that was too long for the model. The loop gives the part the label of
 * the whole output.
 */
export const outputReadTool: Tool = defineTool({
  name: outputReadName,
  description: `Reads a part of a long tool output of this task, of which you saw only the start and the end. Returns at most ${maxCharacters} characters: from an offset, or from a line on.`,
  input: z.object({
    output: z.string().min(1).max(100).describe("The id that stands where the output was cut"),
    from: z.number().int().min(0).optional().describe("The first character, counted from 0"),
    characters: z.number().int().min(1).max(maxCharacters).optional(),
    line: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe("The first line, counted from 1, instead of from"),
    lines: z.number().int().min(1).max(maxLines).optional(),
  }),
  parallelSafe: true,
  repeatable: true,
  async execute({ output, from, characters = maxCharacters, line, lines = maxLines }, context) {
    const text = await context.readOutput(output);
    if (text === undefined)
      throw new BronError(
        "not_found",
        `This task has no output ${JSON.stringify(output)}. Use the id that stands where an output was cut.`,
      );
    if (line !== undefined) return readLines(text, line, lines);
    const start = boundaryBefore(text, from ?? 0);
    return range(text, start, boundaryBefore(text, start + characters));
  },
});

function readLines(text: string, line: number, lines: number): string {
  const start = lineStart(text, 0, line - 1);
  const end = Math.min(lineStart(text, start, lines), start + maxCharacters);
  return `[From line ${line}]\n${range(text, start, boundaryBefore(text, end))}`;
}

/** The offset after this many line breaks, or the end of the text. */
function lineStart(text: string, from: number, breaks: number): number {
  let at = from;
  for (let count = 0; count < breaks; count++) {
    const next = text.indexOf("\n", at);
    if (next === -1) return text.length;
    at = next + 1;
  }
  return at;
}

function range(text: string, start: number, end: number): string {
  // A sequence that is longer than the range would otherwise never be passed.
  const stop = end > start || start >= text.length ? end : boundaryAfter(text, start + 1);
  const rest = stop < text.length ? ` The next part starts at ${stop}.` : " This is the end.";
  return `[Characters ${start} to ${stop} of ${text.length}.${rest}]\n${text.slice(start, stop)}`;
}
