import { visible } from "@bron/protocol";

export function oneLine(text: string, maxLength = 120): string {
  const line = visible(text).replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : line;
}

/** Indents every line but the first. */
export function indent(text: string, width: number): string {
  return visible(text).replaceAll("\n", `\n${" ".repeat(width)}`);
}
