import { markFound } from "./found-words.ts";

/** A text in which the words of a search are marked. */
export function Found({ text, words }: { readonly text: string; readonly words: string }) {
  return markFound(text, words).map(({ text: part, isFound }, index) =>
    isFound ? (
      <mark key={index} className="rounded-sm bg-accent-soft px-px font-medium text-ink">
        {part}
      </mark>
    ) : (
      part
    ),
  );
}
