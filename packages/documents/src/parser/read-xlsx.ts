import readXlsxFile from "read-excel-file/universal";
import { failure } from "./failure.ts";
import type { Output } from "./output.ts";

const cellsBetweenReports = 1_000;

/** Every sheet, in order. A formula counts as the value that was stored with it; nothing is computed. */
export async function readXlsx(bytes: Uint8Array<ArrayBuffer>, output: Output): Promise<void> {
  output.kind("xlsx");
  let cells = 0;
  // The library tells of no progress; that it comes to numbers is the sign that it moves.
  const parseNumber = (written: string) => {
    cells += 1;
    if (cells % cellsBetweenReports === 0) output.progress(cells);
    return writeNumber(written);
  };
  const sheets = await open(bytes, parseNumber);
  for (const { sheet, data } of sheets) {
    if (data.length === 0) output.warn(`The sheet "${sheet}" is empty.`);
    for (const row of data) {
      if (!output.row(sheet, row.map(writeCell))) return;
    }
    output.progress(cells);
  }
}

async function open(bytes: Uint8Array<ArrayBuffer>, parseNumber: (written: string) => string) {
  const whole = bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
  try {
    return await readXlsxFile(whole, { parseNumber, trim: false });
  } catch {
    throw failure("invalid_input", "The workbook is damaged or not complete, and cannot be read. Ask for the file again.");
  }
}

/** As a spreadsheet shows it: 15 digits, so without the dust of binary fractions. */
function writeNumber(written: string): string {
  const number = Number(written);
  return Number.isFinite(number) ? String(Number(number.toPrecision(15))) : written;
}

/** The library's type names the Date constructor where it gives dates. */
function writeCell(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) return Number.isNaN(cell.getTime()) ? "" : cell.toISOString().replace(/T00:00:00\.000Z$/, "").replace(/\.000Z$/, "Z");
  if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
  return typeof cell === "string" ? cell : "";
}
