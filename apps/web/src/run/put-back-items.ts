import type { Item } from "./item.ts";

/** Texts that the owner has put back need no second offer. */
export function markPutBack(items: Item[], text: string): void {
  for (const [index, item] of items.entries())
    if ((item.kind === "user" || item.kind === "question") && item.apart)
      items[index] = {
        ...item,
        apart: item.apart.map((other) =>
          other.text === text ? { ...other, isPutBack: true } : other,
        ),
      };
}
