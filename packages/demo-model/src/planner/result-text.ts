import { isObject } from "../wire.ts";
import type { ToolKind } from "./offered-tools.ts";

/** Fields that hold the main value, the most specific first. */
const valueFields: Partial<Readonly<Record<ToolKind, readonly string[]>>> = {
  calculate: ["result", "value", "answer"],
  clock: ["text", "local", "formatted", "datetime", "time", "now", "iso"],
  read: ["text", "content", "body", "note"],
  list: ["notes", "titles", "items"],
};

/** The result of a tool as text. */
export function resultText(kind: ToolKind, value: unknown): string {
  if (kind === "list") return listTitles(value).join(", ");
  if (typeof value === "string") return value.trim();
  if (isObject(value)) {
    const field = valueFields[kind]?.find(
      (name) => value[name] !== undefined && value[name] !== null,
    );
    if (field !== undefined) return resultText(kind, value[field]);
  }
  return plain(value);
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

export function listTitles(value: unknown): readonly string[] {
  if (isObject(value)) {
    const field = valueFields.list?.find((name) => value[name] !== undefined);
    return field === undefined ? [] : listTitles(value[field]);
  }
  if (typeof value === "string")
    return value
      .split(/\n|,\s*/)
      .map((line) => line.replace(/^[-*•]\s*/, "").trim())
      .filter((line) => line !== "");
  if (!Array.isArray(value)) return [];
  return value.map((item) =>
    plain(isObject(item) ? (item["title"] ?? item["name"] ?? item) : item),
  );
}

/** The number in a calculator's result, for the next calculation. */
export function plainNumber(text: string): string | undefined {
  const [, number] =
    /^(?:.*=\s*)?(-?\d+(?:[.]\d+)?(?:e[+-]?\d+)?)\.?$/i.exec(
      text.replace(/(\d),(?=\d{3}(?!\d))/g, "$1"),
    ) ?? [];
  return number?.startsWith("-") === true ? `(${number})` : number;
}
