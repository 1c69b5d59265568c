import { ageBoundary, dayBoundary, parseSize } from "./query-values.ts";
import { foldText, type SearchDocument, type SearchField } from "./search-document.ts";

export interface Candidate {
  readonly document: SearchDocument;
  readonly labelIds: readonly string[];
  /** Milliseconds since 1970. */
  readonly internalDate: number;
  readonly sizeBytes: number;
}

export interface SearchContext {
  readonly now: Date;
  /** The address that "me" stands for. */
  readonly ownAddress: string;
  /** Looks up a label by its name in queries. Undefined for an unknown label. */
  readonly findLabelId: (name: string) => string | undefined;
}

export type Matcher = (candidate: Candidate) => boolean;

interface Term {
  readonly operator?: string;
  readonly value: string;
}

/** An operator with an invalid value is searched for as text, like an unknown operator. */
export function compileTerm(term: Term, context: SearchContext): Matcher {
  if (term.operator === undefined) return anywhere(term.value);
  return (
    compileOperator(term.operator, term.value, context) ??
    anywhere(`${term.operator}:${term.value}`)
  );
}

function compileOperator(
  operator: string,
  value: string,
  context: SearchContext,
): Matcher | undefined {
  switch (operator) {
    case "from":
    case "to":
    case "cc":
    case "bcc":
      return inField(operator, value.toLowerCase() === "me" ? context.ownAddress : value);
    case "subject":
    case "filename":
    case "deliveredto":
    case "list":
      return inField(operator, value);
    case "newer_than":
    case "older_than":
      return byDate(operator === "newer_than", ageBoundary(value, context.now));
    case "after":
    case "newer":
    case "before":
    case "older":
      return byDate(operator === "after" || operator === "newer", dayBoundary(value));
    case "larger":
    case "size":
    case "smaller":
      return bySize(operator !== "smaller", parseSize(value));
    case "rfc822msgid": {
      const wanted = value.replace(/^<|>$/g, "").toLowerCase();
      return ({ document }) => document.messageId === wanted;
    }
    case "has":
      return has(value.toLowerCase());
    default:
      return inPlace(operator, value.toLowerCase(), context);
  }
}

function anywhere(value: string): Matcher {
  const phrase = foldText(value);
  const words = phrase
    .trim()
    .split(" ")
    .filter((word) => word !== "");
  if (words.length === 1 && words[0] !== undefined) {
    const [word] = words;
    return ({ document }) => document.words.has(word);
  }
  return ({ document }) =>
    words.every((word) => document.words.has(word)) &&
    (words.length === 0 || document.text.includes(phrase));
}

function inField(field: SearchField, value: string): Matcher {
  const phrase = foldText(value);
  return phrase.trim() === ""
    ? () => true
    : ({ document }) => document.fields[field].includes(phrase);
}

function byDate(isAfter: boolean, boundary: number | undefined): Matcher | undefined {
  if (boundary === undefined) return undefined;
  return isAfter
    ? ({ internalDate }) => internalDate >= boundary
    : ({ internalDate }) => internalDate < boundary;
}

function bySize(isLarger: boolean, bytes: number | undefined): Matcher | undefined {
  if (bytes === undefined) return undefined;
  return isLarger ? ({ sizeBytes }) => sizeBytes > bytes : ({ sizeBytes }) => sizeBytes < bytes;
}

function has(what: string): Matcher {
  if (what === "attachment") return ({ document }) => document.fields.filename !== "";
  if (what === "userlabels") return ({ labelIds }) => labelIds.some(isUserLabel);
  if (what === "nouserlabels") return ({ labelIds }) => !labelIds.some(isUserLabel);
  return () => false;
}

const isUserLabel = (id: string) => id.startsWith("Label_");

const places: Readonly<Record<string, string>> = {
  drafts: "DRAFT",
  draft: "DRAFT",
  primary: "CATEGORY_PERSONAL",
};

function inPlace(operator: string, name: string, { findLabelId }: SearchContext): Matcher {
  if (operator === "in" && name === "anywhere") return () => true;
  if ((operator === "is" || operator === "in") && name === "read")
    return ({ labelIds }) => !labelIds.includes("UNREAD");
  const id =
    places[name] ??
    (operator === "category" ? `CATEGORY_${name.toUpperCase()}` : findLabelId(name));
  return id === undefined ? () => false : ({ labelIds }) => labelIds.includes(id);
}
