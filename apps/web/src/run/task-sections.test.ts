import { describe, expect, it } from "vitest";
import type { FileItem, Item, ToolItem } from "./item.ts";
import { sectionsOf, summaryOf } from "./task-sections.ts";

const words: Item = { kind: "user", key: "1", text: "find it" };
const file = (fileKind: string, name: string): FileItem => ({
  kind: "file",
  key: `${fileKind} ${name}`,
  fileKind,
  name,
  mediaType: "application/pdf",
  digest: name,
  sizeBytes: 1,
});
const tool = (name: string, input: ToolItem["input"] = null): ToolItem => ({
  kind: "tool",
  key: name,
  tool: name,
  input,
  state: "completed",
  startedAt: "2026-11-15T12:00:00.000Z",
});
const draft: Item = {
  kind: "card",
  key: "d",
  card: {
    kind: "EmailDraftCard",
    payload: {
      to: "jonas@lindqvist.example",
      cc: [],
      subject: "Summary",
      bodyText: "Hello",
      draftId: "draft-1",
      requiresApproval: true,
    },
  },
};
const approval: Item = {
  kind: "card",
  key: "a",
  card: { kind: "ApprovalCard", payload: { approvalId: "p" } },
};
const summary: Item = {
  kind: "card",
  key: "s",
  card: { kind: "RunSummaryCard", payload: { outcome: "failed", did: [], notDone: [] } },
};

describe("sectionsOf", () => {
  it("takes the final answer out of the steps, and leaves texts before it among them", () => {
    const aside: Item = { kind: "answer", key: "2", text: "Searching", isFinal: false };
    const final: Item = { kind: "answer", key: "3", text: "Found it", isFinal: true };
    const { answer, steps } = sectionsOf([words, aside, final], true);
    expect(answer).toBe("Found it");
    expect(steps).toEqual([aside]);
  });

  it("shows what the owner attached with their words, and files that Bron made for itself as steps", () => {
    const items = [file("upload", "in.csv"), file("attachment", "a.pdf"), file("pdf_summary", "t")];
    const { attached, files, steps } = sectionsOf([...items, ...items.slice(1, 2)], true);
    expect(attached.map(({ name }) => name)).toEqual(["in.csv"]);
    expect(files.map(({ name }) => name)).toEqual(["a.pdf"]);
    expect(steps).toEqual(items.slice(2));
  });

  it("keeps a draft until it is sent", () => {
    expect(sectionsOf([draft], true).drafts).toHaveLength(1);
    const sent = tool("gmail_draft_send", { draftId: "draft-1" });
    expect(sectionsOf([draft, sent], true).drafts).toEqual([]);
    expect(sectionsOf([draft, { ...sent, state: "rejected" }], true).drafts).toHaveLength(1);
  });

  it("shows an approval outside of the steps only while the task runs", () => {
    expect(sectionsOf([approval], false)).toMatchObject({ asks: [approval], steps: [] });
    expect(sectionsOf([approval], true)).toMatchObject({ asks: [], steps: [approval] });
  });

  it("shows files with the words that they came with", () => {
    const later: Item = { kind: "user", key: "2", text: "use this one" };
    const sections = sectionsOf(
      [
        words,
        file("upload", "first.pdf"),
        tool("web_fetch"),
        file("upload", "second.pdf"),
        later,
        file("upload", "alone.pdf"),
      ],
      false,
    );
    expect(sections.attached.map(({ name }) => name)).toEqual(["first.pdf", "alone.pdf"]);
    expect(
      [...sections.attachedLater].map(([key, files]) => [key, files.map(({ name }) => name)]),
    ).toEqual([["2", ["second.pdf"]]]);
    expect(sections.files).toEqual([]);
  });

  it("counts neither planning nor cards as steps", () => {
    const items = [tool("plan"), tool("gmail_search"), tool("emit_ui")];
    expect(sectionsOf(items, true).calls.map((call) => call.tool)).toEqual(["gmail_search"]);
  });
});

it("finds the summary of a task, which is no step", () => {
  expect(summaryOf([words, summary])?.kind).toBe("RunSummaryCard");
  expect(sectionsOf([words, summary], true).steps).toEqual([]);
});
