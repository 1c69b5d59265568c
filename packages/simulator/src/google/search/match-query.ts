import { foldText, type SearchDocument } from "./search-document.ts";
import { compileTerm, type Candidate, type Matcher, type SearchContext } from "./compile-term.ts";
import type { Query } from "./parse-query.ts";

/** Spam and trash match only if the query names them or the caller includes them. */
export function compileQuery(
  query: Query,
  context: SearchContext & { readonly includeSpamTrash?: boolean },
): Matcher {
  const matches = compile(query, context);
  const named = placesNamed(query);
  if (context.includeSpamTrash === true || named.has("anywhere")) return matches;
  const hidden = ["spam", "trash"]
    .filter((place) => !named.has(place))
    .map((place) => place.toUpperCase());
  return (candidate) =>
    !hidden.some((label) => candidate.labelIds.includes(label)) && matches(candidate);
}

function compile(query: Query, context: SearchContext): Matcher {
  switch (query.kind) {
    case "and": {
      const parts = query.parts.map((part) => compile(part, context));
      return (candidate) => parts.every((part) => part(candidate));
    }
    case "or": {
      const parts = query.parts.map((part) => compile(part, context));
      return (candidate) => parts.some((part) => part(candidate));
    }
    case "not": {
      const part = compile(query.part, context);
      return (candidate) => !part(candidate);
    }
    case "near":
      return (candidate: Candidate) => isNear(candidate.document, query);
    default:
      return compileTerm(query, context);
  }
}

function isNear(
  { text }: SearchDocument,
  { left, right, distance }: Extract<Query, { kind: "near" }>,
): boolean {
  const [first, second] = [foldText(left).trim(), foldText(right).trim()];
  return text.split("\n").some((field) => {
    const words = field.trim().split(" ");
    const places = (wanted: string) => words.flatMap((word, at) => (word === wanted ? [at] : []));
    const seconds = places(second);
    return places(first).some((at) => seconds.some((other) => Math.abs(at - other) <= distance));
  });
}

function placesNamed(query: Query): Set<string> {
  switch (query.kind) {
    case "and":
    case "or":
      return new Set(query.parts.flatMap((part) => [...placesNamed(part)]));
    case "term":
      return new Set(
        ["in", "label", "is"].includes(query.operator ?? "") ? [query.value.toLowerCase()] : [],
      );
    default:
      return new Set();
  }
}
