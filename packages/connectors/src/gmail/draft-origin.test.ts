import type { Writer } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { draftThings, readOrigin } from "./draft-origin.ts";

const headers = {
  subject: "Offer",
  to: ["jonas@x.example"],
  cc: [],
  bcc: ["eva@x.example"],
  replyTo: [],
};
const read = (writers: readonly Writer[], isMarked: boolean) =>
  readOrigin({ draftId: "r1", isMarked }, headers, {
    runId: "now",
    writersOf: ({ kind, id }) => Promise.resolve(kind === "draft" && id === "r1" ? writers : []),
  });

describe("who wrote a draft", () => {
  it("X4 is the owner only if no run wrote it and it has no mark", async () => {
    expect(await read([], false)).toEqual({
      origin: "owner",
      reads: { results: [], writers: [] },
    });
    const marked = await read([], true);
    expect(marked.origin).toBe("earlier");
    expect(marked.reads.results).toMatchObject([
      { label: { trusted: false, private: true }, value: { subject: "Offer" } },
    ]);
  });

  it("X4 is Bron, whatever the owner changed in it, with the labels of every writer", async () => {
    const writers = [
      { runId: "now", trusted: true },
      { runId: "before", trusted: false },
    ];
    for (const isMarked of [true, false])
      expect(await read(writers, isMarked)).toEqual({
        origin: "earlier",
        reads: { results: [], writers },
      });
    expect(await read(writers.slice(0, 1), false)).toMatchObject({ origin: "run" });
  });

  it("X3 decides whether the words must mention it, and whom a mention reaches", () => {
    const thing = { kind: "draft", id: "r1", title: "Offer" };
    expect(draftThings({ draftId: "r1", draftOrigin: "run" }, headers)).toEqual([]);
    expect(draftThings({ draftId: "r1", draftOrigin: "earlier" }, headers)).toEqual([
      { ...thing, people: [] },
    ]);
    expect(draftThings({ draftId: "r1", draftOrigin: "owner" }, headers)).toEqual([
      { ...thing, people: ["jonas@x.example", "eva@x.example"] },
    ]);
  });
});
