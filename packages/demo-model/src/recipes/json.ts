import { isObject } from "../wire.ts";

/** Readers for tool results. They accept any JSON, because a tool may return anything. */

export function fieldOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** The field as text, or "". */
export function textOf(value: unknown, name: string): string {
  const field = fieldOf(value, name);
  return typeof field === "string" || typeof field === "number" ? String(field) : "";
}

/** The list, or its objects only. Anything else is an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function objectsOf(value: unknown): readonly { readonly [name: string]: unknown }[] {
  return listOf(value).filter(isObject);
}

/** "1 message", "2 messages" */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
