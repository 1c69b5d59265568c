import { memoryTerms } from "@bron/core";
import { memoryStore } from "@bron/memory-store";
import { expect, it } from "vitest";
import { recallFacts, recallQuestions } from "./support/recall-facts.ts";

const ownerId = "eva";
const limit = 8;

it("RT9 finds what a question asks for among 500 facts, in three languages", async () => {
  const { memory, brons } = memoryStore();
  const [bron] = await brons.list(ownerId);
  expect(recallFacts).toHaveLength(500);
  expect(recallQuestions).toHaveLength(100);
  for (const text of recallFacts) await memory.add(ownerId, { text, kind: "fact", bronId: null });
  const places = await Promise.all(
    recallQuestions.map(async ({ question, fact }) => {
      const terms = memoryTerms(question);
      const found = await memory.search(ownerId, { bronId: bron!.id, terms, limit });
      return found.findIndex(({ entry }) => entry.text === fact);
    }),
  );
  // docs/benchmarks.md has these figures by language.
  expect(places.filter((place) => place !== -1)).toHaveLength(100);
  expect(places.filter((place) => place === 0).length).toBeGreaterThanOrEqual(99);
});
