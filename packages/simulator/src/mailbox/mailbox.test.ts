import { isFullSuite, threadCpuMs } from "@bron/testing";
import PostalMime from "postal-mime";
import { PDFDocument } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { compileQuery } from "../google/search/match-query.ts";
import { parseQuery } from "../google/search/parse-query.ts";
import { companyAccounts } from "./company.ts";
import { makeMail } from "./make-mail.ts";
import type { SeededMail } from "./seeded-mail.ts";

const anchor = new Date("2026-11-15T12:00:00Z");
const owner = companyAccounts[0]?.address ?? "";
const ownMail = (mails: readonly SeededMail[]) =>
  mails.filter(({ copies }) => copies.some(({ address }) => address === owner));
const mails = ownMail(makeMail(1, anchor));

function find(query: string): SeededMail[] {
  const matches = compileQuery(parseQuery(query), {
    now: anchor,
    ownAddress: owner,
    findLabelId: (name) => name.toUpperCase(),
  });
  return mails.filter(({ content, date, copies }) =>
    matches({
      document: content.document(),
      labelIds: copies.find(({ address }) => address === owner)?.labelIds ?? [],
      internalDate: date.getTime(),
      sizeBytes: content.sizeBytes,
    }),
  );
}

const cents = (text: string) => Math.round(Number(text.replace(",", ".")) * 100);

describe("the mailbox", () => {
  test.each([1, 2, 3, 42, 2 ** 31])(
    "has 200 messages in 60 threads over 90 days, none from the future: seed %s",
    (seed) => {
      const all = ownMail(makeMail(seed, anchor));
      expect(all.length).toBeGreaterThanOrEqual(200);
      expect(new Set(all.map(({ firstMessageId }) => firstMessageId)).size).toBeGreaterThanOrEqual(
        60,
      );
      const ages = all.map(({ date }) => (anchor.getTime() - date.getTime()) / 86_400_000);
      expect(Math.min(...ages)).toBeGreaterThan(0);
      expect(Math.max(...ages)).toBeLessThan(91);
    },
  );

  test("is the same for the same seed and moment, byte for byte, and another for another seed", async () => {
    const some = (_: unknown, index: number) => isFullSuite || index % 4 === 0;
    const bytes = (seed: number) =>
      Promise.all(
        makeMail(seed, anchor)
          .filter(({ content }) => content.sizeBytes < 1_000_000)
          .filter(some)
          .map(async ({ content }) => (await content.raw()).toString("base64")),
      );
    const first = await bytes(5);
    expect(first.length).toBeGreaterThan(50);
    expect(await bytes(5)).toEqual(first);
    expect(await bytes(6)).not.toEqual(first);
  });

  test("is made in under a second of CPU", () => {
    expect(threadCpuMs(() => makeMail(9, anchor))).toBeLessThan(1_000);
  });

  test.each([
    ["newer_than:7d", 20],
    ["newer_than:30d", 60],
    ["newer_than:7d has:attachment filename:pdf", 5],
    ["newer_than:30d filename:csv", 2],
    ["newer_than:30d filename:xlsx", 2],
    ["rechnung newer_than:30d", 3],
    ["facture", 4],
    ["faktura", 4],
    ["invoice from:northwind-parts.example", 4],
    ["in:spam", 3],
    ["category:promotions", 10],
    ["is:unread", 5],
    ["in:sent", 30],
    ["subject:Urlaubsplanung", 4],
  ])("answers %s with at least %s", (query, least) =>
    expect(find(query).length).toBeGreaterThanOrEqual(least),
  );

  test("has bills whose mail, PDF and CSV agree, and whose sums are right", async () => {
    const bills = find("from:brandt-metall.example filename:csv");
    expect(bills).toHaveLength(4);
    for (const { content } of bills) {
      const mail = await PostalMime.parse(await content.raw());
      const csv = mail.attachments.find(({ filename }) => filename?.endsWith(".csv"));
      const rows = new TextDecoder()
        .decode(csv?.content as ArrayBuffer)
        .trim()
        .split("\r\n")
        .map((row) => row.split(";"));
      const amounts = rows.slice(1).map((row) => ({
        name: row[0] ?? "",
        quantity: Number(row[1]),
        price: cents(row[2] ?? ""),
        total: cents(row[3] ?? ""),
      }));
      const lines = amounts.slice(0, -3);
      const [net, tax, gross] = amounts.slice(-3).map(({ total }) => total);
      for (const { quantity, price, total } of lines) expect(quantity * price).toBe(total);
      expect(lines.reduce((sum, { total }) => sum + total, 0)).toBe(net);
      expect(Math.round((net ?? 0) * 0.19)).toBe(tax);
      expect((net ?? 0) + (tax ?? 0)).toBe(gross);
      const written = new Intl.NumberFormat("de-DE", {
        minimumFractionDigits: 2,
        useGrouping: "always",
      }).format((gross ?? 0) / 100);
      expect(mail.text).toContain(`${written} €`);
    }
  });

  test("has readable PDFs, a scanned one and a password-protected one", async () => {
    const attachmentOf = async (query: string) => {
      const mail = await PostalMime.parse((await find(query)[0]?.content.raw()) ?? "");
      return new Uint8Array(
        mail.attachments.find(({ mimeType }) => mimeType === "application/pdf")
          ?.content as ArrayBuffer,
      );
    };
    for (const query of [
      "from:brandt-metall.example",
      "from:pneus-garonne.example",
      "from:northwind-parts.example",
      "from:sruba-hurt.example",
    ])
      expect((await PDFDocument.load(await attachmentOf(query))).getPageCount()).toBe(1);
    const scanned = await PDFDocument.load(
      await attachmentOf("from:lackiererei-huber.example has:attachment"),
    );
    const fonts = scanned.getPage(0).node.Resources()?.toString() ?? "";
    expect(fonts).toContain("/XObject");
    expect(fonts).not.toContain("/F1");
    await expect(
      PDFDocument.load(await attachmentOf("from:steiner-kanzlei.example")),
    ).rejects.toThrow("encrypted");
  });

  test("has valid invitations: a new one, an updated one and a canceled one", async () => {
    const read = await Promise.all(
      find("filename:invite.ics").map(async ({ content }) => PostalMime.parse(await content.raw())),
    );
    const told = read.map(({ subject = "", attachments }) => {
      const parts = attachments.map(({ mimeType, method, content }) => ({
        mimeType,
        method,
        ics: typeof content === "string" ? content : new TextDecoder().decode(content),
      }));
      return {
        beginning: subject.split(":")[0],
        method: parts.find(({ mimeType }) => mimeType === "text/calendar")?.method,
        sequence: parts.map(({ ics }) => /^SEQUENCE:(\d+)/m.exec(ics)?.[1]),
        isAsked: parts.every(({ ics }) =>
          /ATTENDEE[^:]*PARTSTAT=NEEDS-ACTION[^:]*:mailto:mara@/.test(ics.replace(/\r?\n /g, "")),
        ),
      };
    });
    expect(told).toEqual([
      { beginning: "Updated invitation", method: "REQUEST", sequence: ["1", "1"], isAsked: true },
      { beginning: "Canceled event", method: "CANCEL", sequence: ["1", "1"], isAsked: true },
      { beginning: "Invitation", method: "REQUEST", sequence: ["0", "0"], isAsked: true },
    ]);
    expect(find("newer_than:7d filename:ics")).toEqual([]);
  });

  test("has replies that quote the original in the writer's language", async () => {
    const answers = find("from:me in:sent to:velo-nord.example -subject:doorbell");
    const mail = await PostalMime.parse((await answers[0]?.content.raw()) ?? "");
    expect(mail.text).toMatch(/^> Guten Tag Frau Lindqvist,$/m);
    expect(mail.inReplyTo).toBeTruthy();
  });
});
