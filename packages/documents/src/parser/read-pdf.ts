import { getDocumentProxy } from "unpdf";
import { maxTextsPerPage } from "../limits.ts";
import type { PageLayout } from "../parsed-document.ts";
import { failure, isFailure } from "./failure.ts";
import type { Output } from "./output.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

export async function readPdf(bytes: Uint8Array, maxPages: number, output: Output): Promise<void> {
  const pdf = await open(bytes);
  output.kind("pdf", pdf.numPages);
  output.progress(0, pdf.numPages);
  const last = Math.min(pdf.numPages, maxPages);
  let characters = 0;
  let hasRoom = true;
  for (let number = 1; number <= last && hasRoom; number++) {
    const text = await readPage(pdf, number, output);
    characters += text.trim().length;
    hasRoom = output.page(number, text);
    output.progress(number, pdf.numPages);
  }
  if (hasRoom && last < pdf.numPages)
    output.cut(`Truncated: only the first ${maxPages} of ${pdf.numPages} pages were read.`);
  if (characters === 0)
    output.warn(
      "No text found. The file seems to be scanned, and images in a PDF are not read. Save each page as PNG or JPEG to read it.",
    );
}

/** Reads where the texts of the first pages are, so that a person recognizes the pages. */
export async function readPdfLayout(
  bytes: Uint8Array,
  maxPages: number,
  output: Output,
): Promise<void> {
  const pdf = await open(bytes);
  output.kind("pdf", pdf.numPages);
  const last = Math.min(pdf.numPages, maxPages);
  for (let number = 1; number <= last && output.hasRoom(); number++) {
    const layout = await layOut(pdf, number, output);
    if (layout) output.layout(layout);
    output.progress(number, pdf.numPages);
  }
}

/** Undefined for an unreadable page. */
async function layOut(pdf: Pdf, number: number, output: Output): Promise<PageLayout | undefined> {
  try {
    const page = await pdf.getPage(number);
    const view = page.getViewport({ scale: 1 });
    const { items } = await page.getTextContent();
    page.cleanup();
    const texts = items
      .flatMap((item) => {
        if (!("str" in item) || item.str.trim() === "") return [];
        const [, , c, d, e, f] = item.transform as readonly number[];
        const [x, y] = view.convertToViewportPoint(e ?? 0, f ?? 0) as readonly number[];
        const size = Math.hypot(c ?? 0, d ?? 0);
        const place = { x: tenth(x), y: tenth(y), size: tenth(size), width: tenth(item.width) };
        return [{ ...place, text: item.str }];
      })
      .slice(0, maxTextsPerPage);
    return { number, width: tenth(view.width), height: tenth(view.height), texts };
  } catch {
    output.warn(`Page ${number} is damaged and could not be read.`);
    return undefined;
  }
}

/** A broken file has lengths that are not numbers. */
function tenth(length: number | undefined): number {
  return length !== undefined && Number.isFinite(length) ? Math.round(length * 10) / 10 : 0;
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, {
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      enableXfa: false,
    });
  } catch (error) {
    if (isFailure(error)) throw error;
    const name = error instanceof Error ? error.name : "";
    if (name === "PasswordException") throw failure({ code: "file_locked" });
    throw failure({ code: "file_damaged", content: "pdf" });
  }
}

/** Skips an unreadable page with a warning, so that the other pages are still read. */
async function readPage(pdf: Pdf, number: number, output: Output): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items
      .map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : ""))
      .join("");
  } catch {
    output.warn(`Page ${number} is damaged and could not be read.`);
    return "";
  }
}
