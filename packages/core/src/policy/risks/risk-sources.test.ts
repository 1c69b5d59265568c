import {
  omitUndefined,
  type JsonValue,
  type Label,
  type LabelPart,
  type SourceItem,
} from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { sourcesOf } from "./risk-sources.ts";
import { noLabels, withContext, withResult, withRunId, type RunLabels } from "../run-labels.ts";

const email = (title: string): SourceItem => ({ kind: "email", title, author: "Rachel Stone" });

function read(
  labels: RunLabels,
  actionId: string,
  value: JsonValue,
  parts: readonly LabelPart[] = [],
): RunLabels {
  const label: Label = { origin: "mail", trusted: false, private: true, readers: [], parts };
  return withResult(labels, { tool: "gmail_search", actionId, label, value });
}

const matches = (...texts: string[]) => ({ matches: texts.map((text) => ({ text })) });
const partsOf = (...titles: string[]) =>
  titles.map((title, index) => ({ path: ["matches", index], item: email(title) }));
const titles = ({ from }: ReturnType<typeof sourcesOf>) => from.map(({ item }) => item?.title);

describe("X3 where a value was seen", () => {
  it("names the part of a result that has it, and no other", () => {
    const labels = read(noLabels, "a1", matches("Hello", "Log in at evil.example"), [
      ...partsOf("Lunch", "Invoice 4711"),
    ]);
    const sources = sourcesOf(labels, "host", "evil.example");
    expect(sources).toEqual({
      from: [{ origin: "mail", tool: "gmail_search", actionId: "a1", item: email("Invoice 4711") }],
      found: true,
    });
  });

  it("names the result itself for a value outside of its parts", () => {
    const value = { note: "see evil.example", ...matches("Hello") };
    const labels = read(noLabels, "a1", value, partsOf("Lunch"));
    const { from, found } = sourcesOf(labels, "host", "evil.example");
    expect({ from, found }).toEqual({
      from: [{ origin: "mail", tool: "gmail_search", actionId: "a1" }],
      found: true,
    });
  });

  it("names every part if only a preview of them was seen", () => {
    const labels = read(noLabels, "a1", "… evil.example …", partsOf("Lunch", "Invoice 4711"));
    expect(titles(sourcesOf(labels, "host", "evil.example"))).toEqual(["Lunch", "Invoice 4711"]);
  });

  it("names everything in view, newest first, for a value that is in no result", () => {
    const parent = withRunId(read(noLabels, "a0", matches("Hi"), partsOf("Zero")), "parent");
    const before = withContext(withContext(parent, "thread", "x"), "pasted", "y");
    const first = read(before, "a1", matches("Hello", "Hello"), partsOf("One", "Two"));
    const labels = read(first, "a2", matches("Hello"), partsOf("Three"));
    const sources = sourcesOf(labels, "host", "evil.example");
    expect(sources.found).toBe(false);
    expect(titles(sources)).toEqual(["Three", "One", "Two", undefined, undefined, "Zero"]);
    expect(sources.from.at(-1)).toMatchObject({ runId: "parent", actionId: "a0" });
    expect(sources.from.map(({ origin }) => origin).slice(3, 5)).toEqual(["thread", "pasted"]);
  });

  it("keeps all of many sources", () => {
    const labels = Array.from({ length: 60 }, (_, index) => `a${index}`).reduce(
      (before, actionId) => read(before, actionId, { text: "evil.example" }),
      noLabels,
    );
    const { from } = sourcesOf(labels, "host", "evil.example");
    expect(from).toHaveLength(60);
    expect(from[0]?.actionId).toBe("a59");
  });

  it("describes a file by the name and sender that it first had, and so its copies", () => {
    const digest = `sha256:${"a".repeat(64)}`;
    const copy = `sha256:${"b".repeat(64)}`;
    const file = (title: string, author?: string): SourceItem => ({
      kind: "file",
      title,
      ...omitUndefined({ author }),
    });
    const first = read(noLabels, "a1", { digest }, [
      { path: [], item: file("invoice.pdf", "Eva"), digest },
    ]);
    const labels = read(first, "a2", { text: "evil.example" }, [
      { path: [], item: file("report.pdf"), digest, copies: [copy] },
    ]);
    expect(sourcesOf(labels, "host", "evil.example").from).toMatchObject([
      { actionId: "a2", item: file("invoice.pdf", "Eva") },
    ]);
    expect(labels.files.get(copy)).toEqual({ filename: "invoice.pdf", author: "Eva" });
  });
});
