/**
 * Breaks a line at spaces so that it fits, and indents the rest as the line was indented, or as far
 * as the text after its label. Words that are longer than a line stay whole.
 */
export function wrap(line: string, columns: number): string[] {
  if (line.length <= columns) return [line];
  const hanging = hangingIndent(line, columns);
  const lines: string[] = [];
  let rest = line;
  while (rest.length > columns) {
    const at = rest.lastIndexOf(" ", columns);
    const indent = lines.length === 0 ? leading(rest) : hanging;
    if (at <= indent) break;
    lines.push(rest.slice(0, at));
    rest = " ".repeat(hanging) + rest.slice(at + 1);
  }
  return [...lines, rest];
}

/** Breaks every line of a text. */
export function wrapAll(lines: readonly string[], columns: number): string[] {
  return lines.flatMap((text) => text.split("\n").flatMap((line) => wrap(line, columns)));
}

const leading = (line: string) => line.length - line.trimStart().length;

/** "  Label:  text" continues below the text, if enough of the line is left for it. */
function hangingIndent(line: string, columns: number): number {
  const labeled = /^ +[A-Z][\w ]{0,20}: +/.exec(line)?.[0].length ?? 0;
  return labeled > 0 && labeled < columns / 2 ? labeled : leading(line);
}
