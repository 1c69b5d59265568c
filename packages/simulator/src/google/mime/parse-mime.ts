import { headerValue, parseHeaderFields, type HeaderField } from "./header-fields.ts";
import { decodeText, parseParameters } from "./header-parameters.ts";
import { decodeQuotedPrintable } from "./quoted-printable.ts";

export interface MimePart {
  readonly headers: readonly HeaderField[];
  /** Lowercase. Defaults to "text/plain". */
  readonly mimeType: string;
  /** Empty for parts that are not attachments. */
  readonly filename: string;
  readonly charset: string;
  /** Empty for a leaf. */
  readonly parts: readonly MimePart[];
  /** The decoded bytes of a leaf. */
  readonly body: () => Buffer;
}

/** Deeper parts are treated as leaves. */
const maxDepth = 30;

export function parseMime(bytes: Buffer, depth = 0): MimePart {
  const { head, rest } = splitHead(bytes);
  const headers = parseHeaderFields(head);
  const type = parseParameters(headerValue(headers, "Content-Type") || "text/plain");
  const disposition = parseParameters(headerValue(headers, "Content-Disposition"));
  const boundary = type.parameters.get("boundary");
  const isMultipart =
    type.value.startsWith("multipart/") && boundary !== undefined && depth < maxDepth;
  const encoding = headerValue(headers, "Content-Transfer-Encoding").toLowerCase();
  const named = disposition.parameters.get("filename") ?? type.parameters.get("name") ?? "";
  return {
    headers,
    mimeType: type.value,
    filename: named === "" && type.value === "message/rfc822" ? "noname.eml" : named,
    charset: type.parameters.get("charset") ?? "utf-8",
    parts: isMultipart ? splitParts(rest, boundary).map((part) => parseMime(part, depth + 1)) : [],
    body: () => (isMultipart ? Buffer.alloc(0) : decodeBody(rest, encoding)),
  };
}

/** The text of a leaf, decoded by its charset. */
export function partText(part: MimePart): string {
  return decodeText(part.body(), part.charset);
}

export function allParts(part: MimePart): MimePart[] {
  return [part, ...part.parts.flatMap(allParts)];
}

export function splitHead(bytes: Buffer): { readonly head: string; readonly rest: Buffer } {
  // A part may start with the empty line.
  if (bytes[0] === 10) return { head: "", rest: bytes.subarray(1) };
  if (bytes[0] === 13 && bytes[1] === 10) return { head: "", rest: bytes.subarray(2) };
  const candidates = ["\r\n\r\n", "\n\n"]
    .map((end) => ({ at: bytes.indexOf(end), length: end.length }))
    .filter(({ at }) => at >= 0);
  const end = candidates.sort((a, b) => a.at - b.at)[0] ?? { at: bytes.length, length: 0 };
  return {
    head: bytes.subarray(0, end.at).toString("utf8"),
    rest: bytes.subarray(end.at + end.length),
  };
}

function splitParts(bytes: Buffer, boundary: string): Buffer[] {
  const marker = Buffer.from(`--${boundary}`);
  const parts: Buffer[] = [];
  let partStart = -1;
  for (let at = bytes.indexOf(marker); at >= 0; at = bytes.indexOf(marker, at + marker.length)) {
    const after = at + marker.length;
    const lineEnd = bytes.indexOf(10, after);
    const lineAfter = bytes
      .subarray(after, Math.min(lineEnd < 0 ? bytes.length : lineEnd, after + 100))
      .toString("latin1");
    const [isMarker, end] = /^(--)?[ \t]*\r?$/.exec(lineAfter) ?? [];
    // Another boundary may start with this one.
    if (isMarker === undefined || (at > 0 && bytes[at - 1] !== 10)) continue;
    if (partStart >= 0) parts.push(bytes.subarray(partStart, trimLineEnd(bytes, partStart, at)));
    if (end !== undefined) return parts;
    partStart = lineEnd < 0 ? bytes.length : lineEnd + 1;
  }
  if (partStart >= 0) parts.push(bytes.subarray(partStart));
  return parts;
}

/** The line end before a boundary belongs to the boundary. */
function trimLineEnd(bytes: Buffer, partStart: number, at: number): number {
  if (at - 2 >= partStart && bytes[at - 2] === 13) return at - 2;
  return Math.max(partStart, at - 1);
}

function decodeBody(bytes: Buffer, encoding: string): Buffer {
  if (encoding === "base64") return Buffer.from(bytes.toString("latin1"), "base64");
  return encoding === "quoted-printable" ? decodeQuotedPrintable(bytes) : bytes;
}
