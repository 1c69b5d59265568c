import type { JsonObject, JsonValue, LabelPart, SourceItem } from "@bron/protocol";

/** One part for each entry of a list in the output, for `ToolLabel.parts`. */
export function listParts(
  key: string,
  itemOf: (entry: JsonObject, output: JsonObject) => SourceItem,
): (output: JsonValue) => LabelPart[] {
  return (output) => {
    if (!isObject(output)) return [];
    const entries = output[key];
    if (!Array.isArray(entries)) return [];
    return entries.flatMap((entry, index) =>
      isObject(entry) ? [{ path: [key, index], item: itemOf(entry, output) }] : [],
    );
  };
}

/** One part for all of the output, for `ToolLabel.parts`. */
export function outputPart(
  partOf: (output: JsonObject) => Omit<LabelPart, "path">,
): (output: JsonValue) => LabelPart[] {
  return (output) => (isObject(output) ? [{ path: [], ...partOf(output) }] : []);
}

/** A text of an output, or an empty one. */
export function textOf(entry: JsonObject, key: string): string {
  const value = entry[key];
  return typeof value === "string" ? value : "";
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
