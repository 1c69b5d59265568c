import readXlsxFile from "read-excel-file/universal";
import { failure } from "./failure.ts";
import type { Output } from "./output.ts";
import { compactSheet } from "./sparse-sheet.ts";
import { readZipDirectory } from "./zip-directory.ts";
import { readZipText } from "./zip-entry.ts";
import { replaceInZip } from "./replace-in-zip.ts";

const cellsBetweenReports = 1_000;

/** Reads every sheet in order. A formula counts as its stored value. Nothing is computed. */
export async function readXlsx(bytes: Uint8Array<ArrayBuffer>, output: Output): Promise<void> {
  output.kind("xlsx");
  let cells = 0;
  // The library reports no progress, so parsing numbers is the sign of progress.
  const parseNumber = (written: string) => {
    cells += 1;
    if (cells % cellsBetweenReports === 0) output.progress(cells);
    return writeNumber(written);
  };
  const sheets = await open(withoutGaps(bytes, output), parseNumber);
  for (const { sheet, data } of sheets) {
    if (data.length === 0) output.warn(`The sheet "${sheet}" is empty.`);
    for (const row of data) {
      if (!output.row(sheet, row.map(writeCell))) return;
    }
    output.progress(cells);
  }
}

/** Larger sheets are not compacted and are left to the library and its limits. */
const maxSheetBytes = 64 * 1024 * 1024;

function withoutGaps(bytes: Uint8Array<ArrayBuffer>, output: Output): Uint8Array<ArrayBuffer> {
  const entries = readZipDirectory(bytes);
  const compacted = new Map<string, Uint8Array>();
  for (const entry of entries) {
    const xml =
      entry.name.startsWith("xl/worksheets/") && entry.name.endsWith(".xml")
        ? readZipText(bytes, entry, maxSheetBytes)
        : undefined;
    const compact = xml === undefined ? undefined : compactSheet(xml);
    if (compact !== undefined) compacted.set(entry.name, new TextEncoder().encode(compact));
  }
  if (compacted.size === 0) return bytes;
  output.warn(
    "Cells in a sheet are very far apart. The empty rows and columns between them were left out.",
  );
  return replaceInZip(bytes, entries, compacted);
}

async function open(bytes: Uint8Array<ArrayBuffer>, parseNumber: (written: string) => string) {
  const buffer = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  try {
    return await readXlsxFile(buffer, { parseNumber, trim: false });
  } catch {
    throw failure({ code: "file_damaged", content: "xlsx" });
  }
}

/** Rounds to 15 digits like a spreadsheet, which hides binary rounding errors. */
function writeNumber(written: string): string {
  const number = Number(written);
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : written;
}

/** Takes unknown, because the library's type names the Date constructor where it returns dates. */
function writeCell(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime())
      ? ""
      : cell
          .toISOString()
          .replace(/T00:00:00\.000Z$/, "")
          .replace(/\.000Z$/, "Z");
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  return typeof cell === "string" ? cell : "";
}
