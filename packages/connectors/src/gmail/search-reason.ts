const words: Readonly<Record<string, string>> = {
  from: "sender",
  to: "recipient",
  subject: "subject",
  filename: "file name",
  newer_than: "date",
  older_than: "date",
  after: "date",
  before: "date",
  label: "label",
  in: "place",
  is: "state",
};

/** Derives from the query why a message is in the results, because Gmail does not say. */
export function reasonFor(query: string, attachments: readonly string[]): string {
  const operators = [...query.matchAll(/(?<![\w-])(\w+):/g)]
    .map(([, name = ""]) => words[name.toLowerCase()])
    .filter((word) => word !== undefined);
  const matched = [...new Set(operators)].map((word) => `${word} matches`);
  const files =
    attachments.length === 1
      ? ["has 1 attachment"]
      : attachments.length > 1
        ? [`has ${attachments.length} attachments`]
        : [];
  return [...matched, ...files].join(", ") || "matches the search";
}
