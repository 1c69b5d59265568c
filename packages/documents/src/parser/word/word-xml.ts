const main =
  "(?:http://schemas\\.openxmlformats\\.org/wordprocessingml/2006/main|http://purl\\.oclc\\.org/ooxml/wordprocessingml/main)";

/** The same with the usual prefix: which ones a file takes for Word's elements is its own affair. */
export function withUsualPrefix(xml: string): string {
  const prefixes = new Set(
    [...xml.matchAll(new RegExp(`xmlns:([\\w.-]+)\\s*=\\s*["']${main}["']`, "g"))].map(
      ([, prefix = ""]) => prefix,
    ),
  );
  const other = [...prefixes]
    .filter((prefix) => prefix !== "w")
    .map((prefix) => prefix.replaceAll(".", "\\."));
  const usual =
    other.length === 0
      ? xml
      : xml.replace(new RegExp(`(</?|\\s)(?:${other.join("|")}):(?=[\\w-])`, "g"), "$1w:");
  return new RegExp(`xmlns\\s*=\\s*["']${main}["']`).test(xml)
    ? usual.replace(/(<\/?)(?=[a-zA-Z][\w-]*[\s/>])/g, "$1w:")
    : usual;
}

/** The value of an attribute, in single or double quotes. */
export function wordAttribute(attributes: string, name: string): string | undefined {
  const [, double, single] =
    new RegExp(`\\bw:${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? [];
  return double ?? single;
}

const entities: Readonly<Partial<Record<string, string>>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return entities[name] ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
