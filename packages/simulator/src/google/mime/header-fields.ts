import { decodeWords } from "postal-mime";

export interface HeaderField {
  readonly name: string;
  /** Unfolded but not decoded: encoded words stay encoded. */
  readonly value: string;
}

export function parseHeaderFields(block: string): HeaderField[] {
  const fields: { name: string; value: string }[] = [];
  for (const line of block.split(/\r?\n/)) {
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last) {
      // Unfolding removes only the line break. A tab becomes a space.
      last.value += line.replace(/^[ \t]/, " ");
      continue;
    }
    const colon = line.indexOf(":");
    if (colon > 0)
      fields.push({ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trimStart() });
  }
  return fields.map(({ name, value }) => ({ name, value: value.trimEnd() }));
}

/** All values of a header, decoded. Names are compared without case. */
export function headerValues(fields: readonly HeaderField[], name: string): string[] {
  const wanted = name.toLowerCase();
  return fields
    .filter((field) => field.name.toLowerCase() === wanted)
    .map((field) => decodeHeader(field.value));
}

/** The first value of a header, decoded; "" without one. */
export function headerValue(fields: readonly HeaderField[], name: string): string {
  return headerValues(fields, name)[0] ?? "";
}

/** RFC 2047 words to text. */
export function decodeHeader(value: string): string {
  return value.includes("=?") ? decodeWords(value) : value;
}
