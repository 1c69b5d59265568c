import { visible } from "@bron/protocol";

export function oneLine(text: string, maxLength = 120): string {
  const line = visible(text).replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : line;
}

/** Continuation lines under the first one's text. */
export function indent(text: string, width: number): string {
  return visible(text).replaceAll("\n", `\n${" ".repeat(width)}`);
}
