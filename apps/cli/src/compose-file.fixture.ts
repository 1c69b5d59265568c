import { readFileSync } from "node:fs";

type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml };

interface Service {
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly deploy?: { readonly replicas: string };
  readonly [key: string]: Yaml | undefined;
}

/** The services of compose.yaml at the root. */
export function readComposeFile(): Readonly<Record<string, Service>> {
  const { services } = readYaml(
    readFileSync(new URL("../../../compose.yaml", import.meta.url), "utf8"),
  ) as { services: Readonly<Record<string, Service>> };
  return services;
}

/** Substitutes `${NAME:-default}` and `${NAME:?why}` as compose does. */
export function fillIn(
  environment: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const fill = (value: string) =>
    value.replace(
      /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
      (_all, name: string, how?: string, rest = "") => {
        const found = variables[name] ?? "";
        if (found === "" && how === "?") throw new Error(`${name}: ${rest}`);
        return found === "" && how === "-" ? rest : found;
      },
    );
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, fill(value)]),
  );
}

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** Parses the subset of YAML that compose.yaml uses. Throws on everything else. */
export function readYaml(source: string): Yaml {
  const lines = source.split("\n").flatMap((raw): Line[] => {
    const text = raw.replace(/(^|\s)#.*$/, "").trimEnd();
    if (/\t/.test(text)) throw new Error(`A tab: ${raw}`);
    return text.trim() === ""
      ? []
      : [{ indent: text.length - text.trimStart().length, text: text.trim() }];
  });
  const anchors = new Map<string, Yaml>();

  const block = (indent: number): Yaml => {
    if (lines[0]?.text.startsWith("- ") === true) return list(indent);
    const map: Record<string, Yaml> = {};
    const own = new Set<string>();
    while (lines[0]?.indent === indent) {
      const { text } = lines.shift()!;
      const entry = /^([\w<][\w.<-]*):(?: &(\w+))?(?: (.+))?$/.exec(text);
      if (!entry) throw new Error(`Not an entry: ${text}`);
      const [, key = "", anchor, rest] = entry;
      if (key === "<<") {
        const merged = anchors.get(rest?.replace(/^\*/, "") ?? "");
        if (merged === undefined) throw new Error(`Not an anchor: ${text}`);
        Object.assign(map, merged);
        continue;
      }
      if (own.has(key)) throw new Error(`Twice: ${text}`);
      own.add(key);
      map[key] = rest === undefined ? below(indent) : scalar(rest);
      if (anchor !== undefined) anchors.set(anchor, map[key]);
    }
    if ((lines[0]?.indent ?? -1) > indent) throw new Error(`Too far in: ${lines[0]?.text}`);
    return map;
  };
  const below = (indent: number): Yaml =>
    (lines[0]?.indent ?? -1) > indent ? block(lines[0]!.indent) : "";
  const list = (indent: number): Yaml[] => {
    const items: Yaml[] = [];
    while (lines[0]?.indent === indent && lines[0].text.startsWith("- "))
      items.push(scalar(lines.shift()!.text.slice(2)));
    return items;
  };
  const root = block(0);
  if (lines.length > 0) throw new Error(`Left over: ${lines[0]?.text}`);
  return root;
}

function scalar(text: string): Yaml {
  if (text.startsWith("[") || text.startsWith('"')) return JSON.parse(text) as Yaml;
  if (/^[{&*!|>'%@`]/.test(text) || /: /.test(text.replace(/\$\{[^}]*\}/g, "")))
    throw new Error(`Not a plain value: ${text}`);
  return text;
}
