interface Separator {
  readonly start: number;
  readonly end: number;
  readonly kind: "sentence" | "then" | "and" | "comma";
}

const separators =
  /(?<sentence>\s*;\s*|\s*\n\s*|[.?!]+\s+)|(?<then>,?\s+(?:and )?(?:then|after that|afterwards|finally|next)\b,?\s+)|(?<and>,?\s+(?:and|but)\s+(?:also\s+)?)|(?<comma>,\s+(?:also\s+)?)/gi;
const command =
  /^(?:please )?(?:tell|what|which|calculate|compute|list|show|read|write|save|store|post|make|create|put|work out)\b/i;
const condition =
  /^\s*(?:please )?(?:if|unless|when|whenever|once|as soon as|until|before|after|in case|every|each|assuming|suppose|don't|do not|never)\b/i;

/** How many separators a command may span. Keeps long lists cheap. */
const lookahead = 8;

/** Callbacks that tell the splitter about a clause. */
export interface ClauseReader {
  isUnderstood(clause: string): boolean;
  /** The clause ends with the user's own text, which may continue after a separator. */
  endsInText(clause: string): boolean;
}

/**
 * Splits before text that is a command, so "milk, eggs and bread" stays together and ", then read
 * it" is split off. A condition is never separated from its consequence: "if it rains, post ..."
 * must not become "post ...".
 */
export function splitClauses(task: string, reader: ClauseReader): readonly string[] {
  const text = task.replace(/^\s*(?:\d+[.)]|[-*•])\s+/gm, "").trim();
  const found = findSeparators(text);
  const clauses: string[] = [];
  let start = 0;
  for (const [index, { start: end, end: next, kind }] of found.entries()) {
    const head = text.slice(start, end);
    const rest = text.slice(next);
    const ends = [...found.slice(index + 1).map((later) => later.start), text.length].slice(
      0,
      lookahead,
    );
    const follows = ends.some((later) => reader.isUnderstood(text.slice(next, later)));
    if (head.trim() !== "" && !isCut({ head, rest, kind, follows }, reader)) continue;
    clauses.push(head);
    start = next;
  }
  return [...clauses, text.slice(start)]
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "");
}

function findSeparators(text: string): readonly Separator[] {
  return Array.from(text.matchAll(separators), ({ 0: matched, index, groups }) => ({
    start: index,
    end: index + matched.length,
    kind:
      groups?.["sentence"] !== undefined
        ? "sentence"
        : groups?.["then"] !== undefined
          ? "then"
          : groups?.["and"] !== undefined
            ? "and"
            : "comma",
  }));
}

interface Cut {
  readonly head: string;
  readonly rest: string;
  readonly kind: Separator["kind"];
  /** A command follows directly. */
  readonly follows: boolean;
}

function isCut({ head, rest, kind, follows }: Cut, reader: ClauseReader): boolean {
  if (kind === "sentence") return follows || !reader.endsInText(head);
  if (condition.test(head)) return false;
  if (kind === "then") return follows || !reader.endsInText(head);
  return follows && (reader.isUnderstood(head) || (kind === "and" && command.test(rest)));
}
