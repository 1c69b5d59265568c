import { describe, expect, it } from "vitest";
import type { DocumentKind } from "../parsed-document.ts";
import { detectKind } from "./detect-kind.ts";

const detect = (text: string, claims: { name?: string; mediaType?: string } = {}) =>
  detectKind(Buffer.from(text), { ...claims, maxUnpackedBytes: 1_000 });
const mailHead = "Received: from a\r\n by b\r\nFrom: eva@a.example\r\nSubject: hi\r\n\r\nbody";

const byContent: readonly (readonly [string, DocumentKind])[] = [
  ["<!DOCTYPE html><p>x", "html"],
  ["\ufeff\n<!-- c --><html><body>x", "html"],
  ["BEGIN:VCALENDAR\r\nEND:VCALENDAR", "ics"],
  [mailHead, "eml"],
  [`${mailHead}\n%PDF-1.7`, "eml"],
  ["junk\n%PDF-1.7", "pdf"],
  ["GIF89a\x10\x00\x10\x00", "image"],
  ["From: Eva\nSubject: notes of a call\n\nHello", "text"],
  ["html is a language", "text"],
  ["BMW 320, 4 doors", "text"],
];

describe("the kind of a text", () => {
  it.for(byContent)("%j is detected by its content", ([text, kind]) => {
    expect(detect(text)).toEqual({ kind });
  });

  it("follows its claim when the content is ambiguous", () => {
    expect(detect("<p>x", { name: "a.html" })).toEqual({ kind: "html" });
    expect(detect("<p>x", { mediaType: "text/html; charset=utf-8" })).toEqual({ kind: "html" });
    expect(detect("Subject: x\n\nbody", { name: "a.eml" })).toEqual({ kind: "eml" });
    expect(detect("a,b", { name: "a.csv" })).toEqual({ kind: "csv" });
  });

  it("does not follow a claim that the content contradicts, and says so", () => {
    for (const name of ["a.ics", "a.eml", "a.docx", "a.png"])
      expect(detect("only words", { name })).toMatchObject({
        kind: "text",
        mismatch: expect.stringContaining("but its content is plain text"),
      });
    expect(detect(mailHead, { name: "a.txt" })).toMatchObject({
      kind: "eml",
      mismatch: expect.stringContaining(
        "claims to be plain text (a.txt), but its content is an email",
      ),
    });
  });
});
