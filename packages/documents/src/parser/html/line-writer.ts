/** Lays out running text, blocks and lists as lines. */
export interface LineWriter {
  /** Collapses spaces and line breaks into one space. */
  inline(text: string): void;
  preformatted(text: string): void;
  lineBreak(): void;
  /** Ends the line if it has content. With a gap, a blank line follows. */
  block(hasGap: boolean): void;
  /** Starts a list item. The marker precedes its first line, and its other lines are indented. */
  item(marker: string, depth: number): void;
  indent(depth: number): void;
}

const maxIndent = 10;

export function createLineWriter(emit: (text: string) => void): LineWriter {
  let hasWritten = false;
  let isLineEmpty = true;
  let isSpacePending = false;
  let pendingBreaks = 0;
  let depthNow = 0;
  let marker: string | undefined;

  const write = (text: string) => {
    if (isLineEmpty) {
      if (hasWritten) emit("\n".repeat(Math.max(1, pendingBreaks)));
      const lead =
        marker === undefined
          ? "  ".repeat(depthNow)
          : `${"  ".repeat(Math.max(0, depthNow - 1))}${marker} `;
      if (lead !== "") emit(lead);
      marker = undefined;
    } else if (isSpacePending) emit(" ");
    emit(text);
    [hasWritten, isLineEmpty, isSpacePending, pendingBreaks] = [true, false, false, 0];
  };
  const endLine = () => {
    if (!isLineEmpty) pendingBreaks = 1;
    [isLineEmpty, isSpacePending] = [true, false];
  };

  return {
    inline(text) {
      const folded = text.replace(/[ \t\r\n\f]+/g, " ");
      const words = folded.trim();
      if (/^\s/.test(folded)) isSpacePending = true;
      if (words !== "") write(words);
      if (words !== "" && /\s$/.test(folded)) isSpacePending = true;
    },
    preformatted(text) {
      text.split(/\r\n?|\n/).forEach((line, index) => {
        if (index > 0) this.lineBreak();
        if (line.trim() !== "") write(line.trimEnd());
      });
    },
    lineBreak() {
      if (isLineEmpty) pendingBreaks = Math.min(2, pendingBreaks + 1);
      endLine();
    },
    block(hasGap) {
      endLine();
      if (hasGap) pendingBreaks = 2;
    },
    item(newMarker, depth) {
      endLine();
      marker = newMarker;
      depthNow = Math.min(maxIndent, depth);
    },
    indent(depth) {
      depthNow = Math.min(maxIndent, depth);
    },
  };
}
