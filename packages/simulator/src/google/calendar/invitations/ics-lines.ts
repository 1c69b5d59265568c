/** Joins content lines of RFC 5545, folded at 75 bytes. */
export function joinLines(lines: readonly string[]): string {
  return `${lines.map(fold).join("\r\n")}\r\n`;
}

function fold(line: string): string {
  const pieces: string[] = [];
  let piece = "";
  let bytes = 0;
  for (const letter of line) {
    const more = Buffer.byteLength(letter);
    // The leading space of a folded line counts.
    if (bytes + more > (pieces.length === 0 ? 75 : 74)) {
      pieces.push(piece);
      [piece, bytes] = ["", 0];
    }
    piece += letter;
    bytes += more;
  }
  return [...pieces, piece].join("\r\n ");
}

export function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r\n|\r|\n/g, "\\n");
}

/** A parameter value, quoted if necessary. */
export function parameterValue(text: string): string {
  const plain = text.replaceAll('"', "'").replace(/[\r\n]+/g, " ");
  return /[:;,]/.test(plain) ? `"${plain}"` : plain;
}
