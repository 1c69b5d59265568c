import { expect, test } from "vitest";
import { markFound } from "./found-words.ts";

const marked = (text: string, searched: string) =>
  markFound(text, searched)
    .map(({ text: part, isFound }) => (isFound ? `[${part}]` : part))
    .join("");

test.each([
  ["To: eva@lisbon-trips.example", "Lisbon", "To: eva@[lisbon]-trips.example"],
  ["Herring, and herrings.", "her", "[Her]ring, and [her]rings."],
  ["Ålesund by ferry", "ferry åle", "[Åle]sund by [ferry]"],
  ["<b>bold</b>", "bold", "<b>[bold]</b>"],
  ["together", "her", "together"],
  ["nothing", "?!", "nothing"],
])("RT12 marks in %j what %j finds", (text, searched, expected) => {
  expect(marked(text, searched)).toBe(expected);
});
