import { InvalidArgumentError } from "commander";
import { readStatus } from "../status-words.ts";

/** Parsers for the values of options. Each throws InvalidArgumentError. */

export function integer(min: number, max: number) {
  return (value: string): number => {
    const parsed = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (parsed >= min && parsed <= max) return parsed;
    throw new InvalidArgumentError(`Must be a whole number from ${min} to ${max}.`);
  };
}

/** Also accepts `default`, which removes a setting. */
export function orDefault<T>(parse: (value: string) => T) {
  return (value: string): T | "default" => (value === "default" ? "default" : parse(value));
}

/** Also accepts `none`, which removes a limit. */
export function orNone<T>(parse: (value: string) => T) {
  return (value: string): T | "none" => (value === "none" ? "none" : parse(value));
}

export function several(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}

/** `name=value`, several times. */
export function pairs(
  value: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const [name, text] = [value.slice(0, value.indexOf("=")), value.slice(value.indexOf("=") + 1)];
  if (value.indexOf("=") < 1) throw new InvalidArgumentError("Must be name=value.");
  return { ...before, [name]: text };
}

export function dollars(value: string): number {
  const parsed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (parsed <= 1_000_000) return parsed;
  throw new InvalidArgumentError("Must be an amount in US dollars, such as 0.50.");
}

export function fullId(value: string): string {
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value)) return value;
  throw new InvalidArgumentError("Must be a full ID, as printed by bron runs show.");
}

export function oneOf(words: readonly string[]) {
  return (value: string): string => {
    if (words.includes(value)) return value;
    throw new InvalidArgumentError(`Must be one of: ${words.join(", ")}.`);
  };
}

/** A status as people or programs write it, such as "partly done" or `completed`. */
export function status(value: string): string {
  if (readStatus(value)) return value;
  throw new InvalidArgumentError("Try done, failed, running or needs_approval, or see --help.");
}

/** An option of every command that shows steps or requests. */
export const verbose = [
  "--verbose",
  "Show tools, inputs and digests as programs see them",
] as const;

/** An option of every command that takes words. */
export const wordsFromStdin = [
  "--words-from-stdin",
  "Treat piped or pasted text as your own words",
] as const;
