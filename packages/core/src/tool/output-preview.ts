import { boundaryAfter, boundaryBefore } from "../context/cut-text.ts";

/** A longer output is kept as an artifact, and the model sees this many characters of it. */
export const maxOutputCharacters = 40_000;
const headCharacters = maxOutputCharacters / 5;
const tailCharacters = maxOutputCharacters - headCharacters;

export interface OutputEnds {
  readonly head: string;
  readonly tail: string;
}

/**
 * The first 20 % and the last 80 % of what the model may see. The end of an output usually says
 * more than its start, such as the error after a long list.
 */
export function splitOutput(text: string): OutputEnds {
  return {
    head: text.slice(0, boundaryBefore(text, headCharacters)),
    tail: text.slice(boundaryAfter(text, text.length - tailCharacters)),
  };
}

/** What the model sees of a long output. Without an id, the rest could not be kept. */
export function previewOutput(text: string, outputId: string | undefined): string {
  const { head, tail } = splitOutput(text);
  const left = text.length - head.length - tail.length;
  const how =
    outputId === undefined
      ? "They could not be kept."
      : `To read them, call output_read with output "${outputId}" and from ${head.length}.`;
  return `${head}\n[${left} of ${text.length} characters are left out here. ${how}]\n${tail}`;
}
