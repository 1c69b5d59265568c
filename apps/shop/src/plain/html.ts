/** Text of a page that is safe to send. Made by `html` only. */
export interface Html {
  readonly markup: string;
}

type Value = Html | readonly Html[] | string | number;

/** A template whose values are escaped, except for those that are templates themselves. */
export function html(strings: TemplateStringsArray, ...values: readonly Value[]): Html {
  const markup = strings.map((text, index) => text + render(values[index] ?? "")).join("");
  return { markup };
}

function render(value: Value): string {
  if (typeof value === "number") return String(value);
  if (typeof value === "string")
    return value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return "markup" in value ? value.markup : value.map(({ markup }) => markup).join("");
}
