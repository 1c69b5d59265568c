import { sentFields } from "@bron/core";

/** The characters of a range that belong to no word. */
function signs(first: number, last: number): string {
  const all = Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at));
  return all.filter((sign) => !/[\p{L}\p{N}\p{M}]/u.test(sign)).join("");
}

/**
 * What separates words: punctuation, currencies, arrows, spaces. Postgres itself would take an
 * address, a path or an amount such as "£7" as one word, and leave out what looks like a tag. A list,
 * because the classes of its patterns depend on the locale of the database.
 */
const separators = [
  `@.,:;/\\-_+#=&?!%~^*|()[]{}<>"\`$`,
  signs(0xa0, 0xbf),
  signs(0x2000, 0x203a),
  signs(0x20a0, 0x20c0),
  "×÷™←↑→↓−≈≠≤≥■□●○✓✔✗✘",
].join("");

/**
 * The words of a text, as an expression of SQL. A text is cut, because a vector that becomes too
 * large is an error, and an append must not fail because of what a model wrote.
 */
export const toWords = (text: string) =>
  `strip(to_tsvector('simple', translate(left(lower(${text}), 50000), '${separators}''', '${" ".repeat(separators.length + 1)}')))`;

/** Marks the words with their owner, so that the index leaves out the runs of others. */
export const ownerWord = (owner: string) => `'=' || md5(${owner})`;

/** Whether a row of `task_words` has room for one more text. */
export const hasRoom = (row: string) => `octet_length(${row}.words::text) < 500000`;

/** The recipients, the subject and the title of an effect, as text. See `sentText`. */
export const sentTextOf = (effect: string) =>
  `(select string_agg(distinct sent.value #>> '{}', ' ') from jsonb_path_query(
    jsonb_build_array(${sentFields.map((name) => `${effect}.prepared -> '${name}'`).join(", ")}),
    'strict $.** ? (@.type() == "string")') as sent (value))`;

/** What a search looks for. Its words contain only letters and digits. */
export function toQuery(words: readonly string[]): string {
  return words
    .map((word, place) => `'${word}'${place === words.length - 1 ? ":*" : ""}`)
    .join(" & ");
}
