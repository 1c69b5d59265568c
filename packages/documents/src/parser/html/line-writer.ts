/** Puts running text, blocks and lists into lines. */
export interface LineWriter {
  /** Spaces and line breaks count as one space. */
  inline(text: string): void;
  preformatted(text: string): void;
  lineBreak(): void;
  /** Ends the line, if anything is on it; with a gap, a blank line follows. */
  block(hasGap: boolean): void;
  /** Begins an item of a list: the marker stands before its first line, its other lines are set in. */
  item(marker: string, depth: number): void;
  indent(depth: number): void;
}

const maxIndent = 10;

export function createLineWriter(emit: (text: string) => void): LineWriter {
  let hasWritten = false;
  let isLineEmpty = true;
  let isSpaceOwed = false;
  let breaksOwed = 0;
  let depthNow = 0;
  let marker: string | undefined;

  const write = (text: string) => {
    if (isLineEmpty) {
      if (hasWritten) emit("\n".repeat(Math.max(1, breaksOwed)));
      const lead =
        marker === undefined
          ? "  ".repeat(depthNow)
          : `${"  ".repeat(Math.max(0, depthNow - 1))}${marker} `;
      if (lead !== "") emit(lead);
      marker = undefined;
    } else if (isSpaceOwed) emit(" ");
    emit(text);
    [hasWritten, isLineEmpty, isSpaceOwed, breaksOwed] = [true, false, false, 0];
  };
  const endLine = () => {
    if (!isLineEmpty) breaksOwed = 1;
    [isLineEmpty, isSpaceOwed] = [true, false];
  };

  return {
    inline(text) {
      const folded = text.replace(/[ \t\r\n\f]+/g, " ");
      const words = folded.trim();
      if (/^\s/.test(folded)) isSpaceOwed = true;
      if (words !== "") write(words);
      if (words !== "" && /\s$/.test(folded)) isSpaceOwed = true;
    },
    preformatted(text) {
      text.split(/\r\n?|\n/).forEach((line, index) => {
        if (index > 0) this.lineBreak();
        if (line.trim() !== "") write(line.trimEnd());
      });
    },
    lineBreak() {
      if (isLineEmpty) breaksOwed = Math.min(2, breaksOwed + 1);
      endLine();
    },
    block(hasGap) {
      endLine();
      if (hasGap) breaksOwed = 2;
    },
    item(given, depth) {
      endLine();
      marker = given;
      depthNow = Math.min(maxIndent, depth);
    },
    indent(depth) {
      depthNow = Math.min(maxIndent, depth);
    },
  };
}
