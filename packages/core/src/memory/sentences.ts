/** Ends a sentence: a mark before a space, or the end of a line. */
const boundary = /(?<=[.!?…]["”»']?)[ \t]+|(?<=[。！？])|(?<=\n)/u;

/** The sentences of a text with the spaces after them left out. Joined lines keep their breaks. */
export function sentencesOf(text: string): string[] {
  return text.split(boundary).filter((sentence) => sentence !== "");
}
