/** Resolves ids in a message to names. */
export interface Names {
  readonly user: (id: string) => string;
  readonly channel: (id: string) => string;
}

const reference = /<([^<>]+)>/g;

/**
 * Converts Slack's markup to readable text: names for ids, URLs beside their labels, characters for
 * entities.
 */
export function readableText(text: string, names: Names): string {
  return text
    .replaceAll(reference, (_, inner: string) => readReference(inner, names))
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

function readReference(inner: string, names: Names): string {
  const bar = inner.indexOf("|");
  const [target, label] = bar === -1 ? [inner, ""] : [inner.slice(0, bar), inner.slice(bar + 1)];
  if (target.startsWith("@")) return `@${names.user(target.slice(1))}`;
  if (target.startsWith("#")) return `#${label || names.channel(target.slice(1))}`;
  if (target.startsWith("!"))
    return `@${label.replace(/^@/, "") || (target.slice(1).split("^")[0] ?? "")}`;
  // The label of a link may lie about its target.
  return label === "" || label === target.replace(/^mailto:/, "")
    ? target.replace(/^mailto:/, "")
    : `${label} (${target})`;
}

/** Ids of the people that a text mentions. */
export function mentionedUsers(text: string): string[] {
  return [...text.matchAll(/<@([A-Z0-9]+)/g)].flatMap(([, id]) => (id === undefined ? [] : [id]));
}
