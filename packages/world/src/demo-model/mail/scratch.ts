import { foldText } from "../reading/fold-text.ts";

/** A text from which understood pieces are taken, so that no piece is understood twice. Patterns are written folded. */
export interface Scratch {
  /** What is left, with the same places as in the beginning. */
  text(): string;
  has(pattern: RegExp): boolean;
  /** The groups of the first match, as they stand in the text; it is blanked. */
  take(pattern: RegExp): Taken | undefined;
}

export interface Taken {
  readonly whole: string;
  readonly groups: Readonly<Record<string, string | undefined>>;
}

export function createScratch(task: string): Scratch {
  let text = task.normalize("NFC");
  let folded = foldText(text);
  return {
    text: () => text,
    has: (pattern) => pattern.test(folded),
    take(pattern) {
      const match = new RegExp(pattern.source, `${pattern.flags.replace(/[dg]/g, "")}d`).exec(
        folded,
      );
      if (match === null) return undefined;
      const [start, end] = match.indices?.[0] ?? [0, 0];
      const groups = Object.fromEntries(
        Object.entries(match.indices?.groups ?? {}).map(([name, place]) => [
          name,
          place === undefined ? undefined : text.slice(place[0], place[1]),
        ]),
      );
      const taken = { whole: text.slice(start, end), groups };
      text = `${text.slice(0, start)}${" ".repeat(end - start)}${text.slice(end)}`;
      folded = `${folded.slice(0, start)}${" ".repeat(end - start)}${folded.slice(end)}`;
      return taken;
    },
  };
}
