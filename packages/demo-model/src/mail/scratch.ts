import { foldText } from "../reading/fold-text.ts";

/**
 * A text from which parsed pieces are removed, so no piece is read twice. Patterns are written
 * folded.
 */
export interface Scratch {
  /** The remaining text. Positions stay the same because removed pieces become blanks. */
  text(): string;
  has(pattern: RegExp): boolean;
  /** Blanks the first match and returns its groups as written in the text. */
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
