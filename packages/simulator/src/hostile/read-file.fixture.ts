import { inflateRawSync, inflateSync } from "node:zlib";

const unescapeXml = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&apos;", "'")
    .replaceAll("&amp;", "&");

/**
 * All files of an archive as one text. Uses the central directory because writers omit sizes in
 * local headers.
 */
export function zipText(bytes: Buffer): string {
  const texts: string[] = [];
  for (
    let at = bytes.indexOf("PK\u0001\u0002", 0, "latin1");
    at >= 0;
    at = bytes.indexOf("PK\u0001\u0002", at + 4, "latin1")
  ) {
    const [method, size, local] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt32LE(at + 42),
    ];
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(start, start + size);
    texts.push((method === 0 ? content : inflateRawSync(content)).toString("utf8"));
  }
  return unescapeXml(texts.join("\n"));
}

/** The content streams of a PDF's pages. */
export function pdfOperators(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  const streams = [...text.matchAll(/stream\r?\n/g)].flatMap(({ index, 0: mark }) => {
    if (text.slice(index - 3, index) === "end") return [];
    try {
      return [inflateSync(bytes.subarray(index + mark.length)).toString("latin1")];
    } catch {
      return [];
    }
  });
  return streams.join("\n");
}

/** The text that the pages of a PDF draw. Works for files of pdf-lib. */
export function pdfText(bytes: Buffer): string {
  return [...pdfOperators(bytes).matchAll(/<([0-9A-F]+)> Tj/g)]
    .map(([, hex = ""]) => Buffer.from(hex, "hex").toString("latin1"))
    .join("\n");
}

/** An unfolded iCalendar file. */
export const calendarText = (text: string) =>
  text
    .replace(/\r?\n /g, "")
    .replace(/\\([\\;,])/g, "$1")
    .replaceAll("\\n", "\n");
