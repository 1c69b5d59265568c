const main =
  "(?:http://schemas\\.openxmlformats\\.org/wordprocessingml/2006/main|http://purl\\.oclc\\.org/ooxml/wordprocessingml/main)";

/**
 * Rewrites the XML to the prefix `w`, because each file chooses its own prefix for Word's elements.
 */
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
    (match, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return entities[name] ?? match;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : match;
    },
  );
}
