import type { JsonObject, JsonValue } from "@bron/protocol";
import { canonicalJson } from "../../policy/canonical-json.ts";
import { isObject, isSchema, resolveReference, type Schema } from "./json-schema.ts";
import { hasFormat } from "./formats.ts";
import { isQuick, safePattern } from "./safe-pattern.ts";
import { shorten, valuePath } from "./value-path.ts";

/**
 * Validates values by JSON Schema, for schemas and values of strangers. It interprets the keywords
 * of 2020-12 and draft-07 that say something about one value, and ignores the others. It generates
 * no code, reads nothing from elsewhere, and stops after a limited amount of work.
 */

/** Units of work in one validation. One unit takes less than a microsecond. */
const maxWork = 100_000;
const maxDepth = 200;
const maxProblems = 8;

/** Thrown when the work is used up, because it ends all levels at once. */
class TooComplex extends Error {}

type Path = readonly (string | number)[];

interface Check {
  readonly root: JsonObject;
  /** Throws TooComplex. */
  spend(units: number): void;
}

interface Place {
  readonly schema: Schema;
  readonly value: JsonValue;
  readonly path: Path;
  readonly depth: number;
}

/** Returns what is wrong, with the place of each problem. Empty if nothing is. */
export function validateValue(root: JsonObject, value: JsonValue): string[] {
  let work = 0;
  const check: Check = {
    root,
    spend(units) {
      work += units;
      if (work > maxWork) throw new TooComplex();
    },
  };
  try {
    return problemsAt(check, { schema: root, value, path: [], depth: 0 }).slice(0, maxProblems);
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    return ["arguments: too large or too deep to be checked by the tool's schema"];
  }
}

function problemsAt(check: Check, place: Place): string[] {
  const { schema, path, depth } = place;
  check.spend(1);
  if (depth > maxDepth) throw new TooComplex();
  if (schema === true) return [];
  if (schema === false) return [problem(path, "is not allowed")];
  const typeProblem = wrongType(place);
  if (typeProblem) return [typeProblem];
  return [
    ...allowedValues(check, place, schema),
    ...texts(check, place, schema),
    ...numbers(place, schema),
    ...arrays(check, place, schema),
    ...objects(check, place, schema),
    ...combined(check, place, schema),
  ];
}

const problem = (path: Path, text: string) => `${valuePath(path)}: ${text}`;

const inside = (place: Place, schema: Schema, key: string | number, value: JsonValue): Place => ({
  schema,
  value,
  path: [...place.path, key],
  depth: place.depth + 1,
});

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

function wrongType({ schema, value, path }: Place): string | undefined {
  if (typeof schema === "boolean") return undefined;
  const { type } = schema;
  const allowed = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === "string");
  const actual = typeOf(value);
  const fits =
    allowed.length === 0 ||
    allowed.includes(actual) ||
    (allowed.includes("integer") && Number.isInteger(value));
  return fits
    ? undefined
    : problem(path, `must be ${allowed.map(shorten).join(" or ")}, not ${actual}`);
}

function allowedValues(check: Check, { value, path }: Place, schema: JsonObject): string[] {
  const { enum: all } = schema;
  const lists = [
    ...(Array.isArray(all) ? [all] : []),
    ...("const" in schema ? [[schema["const"] ?? null]] : []),
  ];
  return lists.flatMap((list) => {
    check.spend(list.length);
    if (list.some((one) => isSame(check, one, value))) return [];
    const names = list.slice(0, 10).map((one) => shorten(JSON.stringify(one)));
    return [problem(path, `must be ${names.join(" or ")}${list.length > 10 ? " or others" : ""}`)];
  });
}

function isSame(check: Check, a: JsonValue, b: JsonValue): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  return textOf(check, a) === textOf(check, b);
}

function textOf(check: Check, value: JsonValue): string {
  const text = canonicalJson(value);
  check.spend(1 + text.length / 50);
  return text;
}

function texts(check: Check, { value, path }: Place, schema: JsonObject): string[] {
  if (typeof value !== "string") return [];
  const { minLength, maxLength, pattern, format } = schema;
  const problems: string[] = [];
  if (typeof minLength === "number" || typeof maxLength === "number") {
    check.spend(1 + value.length / 50);
    const length = codePoints(value);
    if (typeof minLength === "number" && length < minLength)
      problems.push(problem(path, `must have at least ${minLength} characters`));
    if (typeof maxLength === "number" && length > maxLength)
      problems.push(problem(path, `must have at most ${maxLength} characters`));
  }
  if (typeof pattern === "string" && matches(check, pattern, value) === false)
    problems.push(problem(path, `must match ${shorten(pattern)}`));
  if (typeof format === "string" && !hasFormat(value, format))
    problems.push(problem(path, `must be a valid ${shorten(format)}`));
  return problems;
}

/** JSON Schema counts characters by code points. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Undefined if the match could take long. The tool itself checks such a pattern. */
function matches(check: Check, pattern: string, text: string): boolean | undefined {
  check.spend(5);
  const safe = safePattern(pattern);
  if (!safe || !isQuick(safe, text.length)) return undefined;
  check.spend(safe.triesFor(text.length) / 50);
  return safe.test(text);
}

function numbers({ value, path }: Place, schema: JsonObject): string[] {
  if (typeof value !== "number") return [];
  const rules: [string, (limit: number) => boolean, string][] = [
    ["minimum", (limit) => value >= limit, "must be at least"],
    ["maximum", (limit) => value <= limit, "must be at most"],
    ["exclusiveMinimum", (limit) => value > limit, "must be more than"],
    ["exclusiveMaximum", (limit) => value < limit, "must be less than"],
    ["multipleOf", (step) => isMultiple(value, step), "must be a multiple of"],
  ];
  return rules.flatMap(([keyword, fits, words]) => {
    const limit = schema[keyword];
    return typeof limit !== "number" || fits(limit) ? [] : [problem(path, `${words} ${limit}`)];
  });
}

function isMultiple(value: number, step: number): boolean {
  if (step <= 0) return true;
  const times = value / step;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

function arrays(check: Check, place: Place, schema: JsonObject): string[] {
  const { value, path } = place;
  if (!Array.isArray(value)) return [];
  const { items, prefixItems, additionalItems, contains } = schema;
  const problems = limits(path, value.length, { schema, of: "Items", words: "items" });
  const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  const rest = Array.isArray(items) ? additionalItems : items;
  for (const [index, item] of value.entries()) {
    const itemSchema = index < first.length ? first[index] : rest;
    if (isSchema(itemSchema))
      problems.push(...problemsAt(check, inside(place, itemSchema, index, item)));
    if (problems.length >= maxProblems) return problems;
  }
  if (schema["uniqueItems"] === true) {
    const all = value.map((item) => textOf(check, item));
    if (new Set(all).size < all.length) problems.push(problem(path, "must not repeat items"));
  }
  if (isSchema(contains)) {
    const count = value.filter(
      (item, index) => problemsAt(check, inside(place, contains, index, item)).length === 0,
    ).length;
    const { minContains = 1, maxContains } = schema;
    if (typeof minContains === "number" && count < minContains)
      problems.push(problem(path, `must contain at least ${minContains} of the required items`));
    if (typeof maxContains === "number" && count > maxContains)
      problems.push(problem(path, `must contain at most ${maxContains} of the limited items`));
  }
  return problems;
}

function limits(
  path: Path,
  count: number,
  { schema, of, words }: { schema: JsonObject; of: string; words: string },
): string[] {
  const [least, most] = [schema[`min${of}`], schema[`max${of}`]];
  return [
    ...(typeof least === "number" && count < least
      ? [problem(path, `must have at least ${least} ${words}`)]
      : []),
    ...(typeof most === "number" && count > most
      ? [problem(path, `must have at most ${most} ${words}`)]
      : []),
  ];
}

type IsMissing = (name: JsonValue) => name is string;

function objects(check: Check, place: Place, schema: JsonObject): string[] {
  const { value, path } = place;
  if (!isObject(value)) return [];
  const keys = Object.keys(value);
  check.spend(keys.length);
  const problems = limits(path, keys.length, { schema, of: "Properties", words: "fields" });
  const missing: IsMissing = (name): name is string =>
    typeof name === "string" && !Object.hasOwn(value, name);
  const { required, propertyNames } = schema;
  if (Array.isArray(required)) {
    check.spend(required.length);
    for (const name of required)
      if (missing(name)) problems.push(problem([...path, name], "is required"));
  }
  problems.push(...dependencies(check, place, schema, missing));
  for (const key of keys) {
    if (problems.length >= maxProblems) break;
    const member = value[key] ?? null;
    for (const part of schemasFor(check, schema, key))
      problems.push(...problemsAt(check, inside(place, part, key, member)));
    if (isSchema(propertyNames))
      problems.push(...problemsAt(check, inside(place, propertyNames, key, key)));
  }
  return problems;
}

/** The schemas for a field: its own, those whose pattern its name has, or that for all others. */
function schemasFor(check: Check, schema: JsonObject, key: string): Schema[] {
  const { properties, patternProperties, additionalProperties } = schema;
  const found: Schema[] = [];
  let isOpen = false;
  if (isObject(properties) && Object.hasOwn(properties, key) && isSchema(properties[key]))
    found.push(properties[key]);
  for (const [pattern, part] of isObject(patternProperties)
    ? Object.entries(patternProperties)
    : []) {
    const fits = matches(check, pattern, key);
    if (fits === undefined) isOpen = true;
    else if (fits && isSchema(part)) found.push(part);
  }
  if (found.length === 0 && !isOpen && isSchema(additionalProperties))
    found.push(additionalProperties);
  return found;
}

function dependencies(
  check: Check,
  place: Place,
  schema: JsonObject,
  missing: IsMissing,
): string[] {
  const all = [schema["dependentRequired"], schema["dependentSchemas"], schema["dependencies"]];
  return all.flatMap((one) =>
    Object.entries(isObject(one) ? one : {}).flatMap(([key, needed]) => {
      check.spend(1);
      if (!isObject(place.value) || !Object.hasOwn(place.value, key)) return [];
      if (isSchema(needed))
        return problemsAt(check, { ...place, schema: needed, depth: place.depth + 1 });
      if (!Array.isArray(needed)) return [];
      check.spend(needed.length);
      return needed
        .filter(missing)
        .map((name) => problem([...place.path, name], `is required together with ${shorten(key)}`));
    }),
  );
}

function combined(check: Check, place: Place, schema: JsonObject): string[] {
  const { path } = place;
  const under = (part: Schema) =>
    problemsAt(check, { ...place, schema: part, depth: place.depth + 1 });
  const list = (keyword: string) => {
    const parts = schema[keyword];
    return Array.isArray(parts) ? parts.filter(isSchema) : [];
  };
  const problems: string[] = [];
  if (typeof schema["$ref"] === "string") {
    const part = resolveReference(check.root, schema["$ref"]);
    if (part !== undefined) problems.push(...under(part));
  }
  for (const part of list("allOf")) problems.push(...under(part));
  const anyOf = list("anyOf");
  if (anyOf.length > 0) problems.push(...closest(anyOf.map(under)));
  const oneOf = list("oneOf").map(under);
  const fitting = oneOf.filter((found) => found.length === 0).length;
  if (fitting > 1) problems.push(problem(path, "must match only one of the allowed forms"));
  else if (oneOf.length > 0) problems.push(...closest(oneOf));
  const { not, if: condition } = schema;
  if (isSchema(not) && under(not).length === 0) problems.push(problem(path, "is not allowed"));
  if (isSchema(condition)) {
    const branch = schema[under(condition).length === 0 ? "then" : "else"];
    if (isSchema(branch)) problems.push(...under(branch));
  }
  return problems;
}

/** The problems of the form with the fewest. None if one form fits. */
function closest(forms: readonly (readonly string[])[]): readonly string[] {
  return forms.reduce((best, next) => (next.length < best.length ? next : best));
}
