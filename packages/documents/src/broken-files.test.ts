import { isFullSuite, sampleCount } from "@bron/testing";
import fc from "fast-check";
import writeXlsxFile from "write-excel-file/node";
import { describe, expect, it } from "vitest";
import { emlOf } from "./fixtures/mail-files.fixture.ts";
import { invoicePng } from "./fixtures/image-files.fixture.ts";
import { pdfOf } from "./fixtures/pdf-files.fixture.ts";
import { readInProcess } from "./fixtures/read-in-process.fixture.ts";
import { docxOf, headerFile, paragraph, wordTable } from "./fixtures/word-files.fixture.ts";
import { parseDocument } from "./parse-document.ts";
import { isFailure } from "./parser/failure.ts";

const docx = docxOf(
  `${paragraph("Invoice 4711")}${wordTable([
    ["Item", "Price"],
    ["Bolt", "1.50"],
  ])}`,
  { files: [headerFile("ACME")] },
);
const html = Buffer.from(
  '<!doctype html><html><head><title>T</title><style>.x{display:none}</style></head><body><p style="color:#fff">a<table><tr><td rowspan=2>b<td colspan=3>c</table><ul><li>d&eacute;<a href="https://a.example">e</a></ul><!-- f --></body></html>',
);
const ics = Buffer.from(
  "BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART;TZID=Europe/Berlin:20240301T090000\r\nDTEND;TZID=Europe/Berlin:20240301T100000\r\nRRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=10\r\nEXDATE;TZID=Europe/Berlin:20240426T090000\r\nSUMMARY;LANGUAGE=de:Treffen\r\nATTENDEE;CN=Bo:mailto:bo@b.example\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
);
const eml = emlOf(
  ["Subject: =?utf-8?B?R3LDvMOfZQ==?=", "Reply-To: x@c.example"],
  { type: "text/html", content: "<p>Hi" },
  [
    { type: "application/octet-stream", name: "a.docx", content: docx },
    { type: "text/calendar", content: ics },
    {
      type: "message/rfc822",
      content: emlOf(["Subject: inner"], { type: "text/plain", content: "x" }),
    },
  ],
);

const files: Readonly<Record<string, Uint8Array>> = { docx, html, ics, eml };
const all: Readonly<Record<string, Uint8Array>> = {
  ...files,
  png: invoicePng(),
  pdf: await pdfOf([[{ text: "Total 1" }]]),
  xlsx: await writeXlsxFile([[{ value: "a" }]]).toBuffer(),
};

/** A file with a few bytes changed, perhaps truncated. */
const damage = fc.record({
  flips: fc.array(
    fc.record({
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      mask: fc.integer({ min: 1, max: 255 }),
    }),
    { maxLength: 6 },
  ),
  keep: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
});

function damaged(
  whole: Uint8Array,
  { flips, keep }: { flips: { at: number; mask: number }[]; keep: number },
): Uint8Array {
  const bytes = Uint8Array.from(whole);
  for (const { at, mask } of flips) bytes[Math.floor(at * bytes.length)]! ^= mask;
  return bytes.subarray(0, Math.max(1, Math.round(keep * bytes.length)));
}

describe("a randomly truncated or changed file", () => {
  it.for(Object.entries(files))("%s is read or rejected with a reason", async ([name, whole]) => {
    const property = fc.asyncProperty(damage, async (how) => {
      const [result] = await Promise.allSettled([
        readInProcess(damaged(whole, how), { name: `a.${name}` }),
      ]);
      if (result.status === "fulfilled")
        expect(result.value.warnings.every((warning) => typeof warning === "string")).toBe(true);
      else
        expect(isFailure(result.reason), String(result.reason?.stack ?? result.reason)).toBe(true);
    });
    await fc.assert(property, { numRuns: sampleCount(150) });
  });

  it.for(Object.entries(all))(
    "%s ends with a value or a coded error in its own process",
    async ([name, whole]) => {
      const property = fc.asyncProperty(damage, async (how) => {
        const [result] = await Promise.allSettled([
          parseDocument({ bytes: damaged(whole, how), name: `a.${name}` }),
        ]);
        expect(result).toMatchObject(
          result.status === "fulfilled"
            ? { value: { text: expect.any(String) } }
            : {
                reason: {
                  name: "BronError",
                  code: expect.stringMatching(/^(?:invalid_input|too_large|tool_failed)$/),
                },
              },
        );
      });
      await fc.assert(property, { numRuns: isFullSuite ? 3 : 1 });
    },
  );
});
