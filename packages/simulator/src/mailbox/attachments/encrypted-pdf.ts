import { createHash } from "node:crypto";
import type { Attachment } from "./attachment.ts";
import { rc4 } from "./rc4.ts";
import { winAnsiText } from "./win-ansi-text.ts";

const padding = Buffer.from(
  "28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a",
  "hex",
);
const permissions = -44;

interface EncryptedPdf {
  readonly filename: string;
  readonly password: string;
  readonly lines: readonly string[];
}

/** A password-protected page of text: standard security handler of PDF 1.4, RC4 with 128 bits. */
export function encryptedPdf({ filename, password, lines }: EncryptedPdf): Attachment {
  return {
    filename,
    contentType: "application/pdf",
    bytes: 1_500,
    make: () => encryptPage(password, lines),
  };
}

const md5 = (...parts: readonly Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash("md5")).digest();
const pad = (password: string) =>
  Buffer.concat([Buffer.from(password, "latin1"), padding]).subarray(0, 32);
const repeat = (times: number, step: (value: Buffer) => Buffer, first: Buffer) =>
  Array.from({ length: times }).reduce<Buffer>((value) => step(value), first);
/** Twenty rounds, each with the key XORed with the round number. */
const rounds = (key: Buffer, data: Buffer) =>
  Array.from({ length: 20 }).reduce<Buffer>(
    (value, _, round) =>
      rc4(
        key.map((byte) => byte ^ round),
        value,
      ),
    data,
  );

function encryptPage(password: string, lines: readonly string[]): Buffer {
  const id = md5(Buffer.from(lines.join("\n")));
  const ownerKey = repeat(50, (value) => md5(value), md5(pad(password)));
  const ownerEntry = rounds(ownerKey, pad(password));
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(permissions);
  const key = repeat(50, (value) => md5(value), md5(pad(password), ownerEntry, flags, id));
  const userEntry = Buffer.concat([rounds(key, md5(padding, id)), Buffer.alloc(16)]);

  const shown = lines
    .map((line) => `(${winAnsiText(line).replace(/[\\()]/g, "\\$&")}) Tj T*`)
    .join("\n");
  const stream = Buffer.from(`BT /F1 11 Tf 16 TL 60 760 Td\n${shown}\nET`, "latin1");
  const contentsNumber = 4;
  const content = rc4(md5(key, Buffer.from([contentsNumber, 0, 0, 0, 0])), stream);
  const hex = (bytes: Buffer) => `<${bytes.toString("hex")}>`;
  return writeObjects(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
      Buffer.concat([
        Buffer.from(`<< /Length ${content.length} >>\nstream\n`),
        content,
        Buffer.from("\nendstream"),
      ]),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
      `<< /Filter /Standard /V 2 /R 3 /Length 128 /P ${permissions} /O ${hex(ownerEntry)} /U ${hex(userEntry)} >>`,
    ],
    `/Root 1 0 R /Encrypt 6 0 R /ID [${hex(id)} ${hex(id)}]`,
  );
}

function writeObjects(objects: readonly (string | Buffer)[], trailer: string): Buffer {
  const chunks = [Buffer.from("%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n", "latin1")];
  const offsets = objects.map((object, at) => {
    const offset = chunks.reduce((sum, { length }) => sum + length, 0);
    chunks.push(Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n"));
    return offset;
  });
  const start = chunks.reduce((sum, { length }) => sum + length, 0);
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  chunks.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(chunks);
}
