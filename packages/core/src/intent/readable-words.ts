import { typedWords } from "../policy/owner-words/typed-words.ts";
import type { OwnerText } from "./owner-text.ts";
import { withSlots, type Slot } from "./slots.ts";

/** The owner's texts as their reader sees them. */
export interface ReadableWords {
  readonly texts: readonly ReadableText[];
  /** What the slots in the texts stand for, by name. */
  readonly slots: ReadonlyMap<string, Slot>;
}

export interface ReadableText {
  /** `w1`, `w2` and so on. */
  readonly name: string;
  readonly when: OwnerText["when"];
  readonly text: string;
}

/** Leaves out text that others wrote, and texts without words. Replaces quotations by slots. */
export function readableWords(texts: readonly OwnerText[]): ReadableWords {
  const readable: ReadableText[] = [];
  const slots = new Map<string, Slot>();
  for (const { when, text, asTyped } of texts) {
    const slotted = withSlots(asTyped ? text : typedWords(text).words, slots.size + 1);
    if (slotted.text.trim() === "") continue;
    readable.push({ name: `w${readable.length + 1}`, when, text: slotted.text });
    for (const [name, slot] of slotted.slots) slots.set(name, slot);
  }
  return { texts: readable, slots };
}
