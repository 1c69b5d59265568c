import { textOf } from "@bron/core";
import type { JsonObject, LabelPart } from "@bron/protocol";

/**
 * The file that an output was read from, and the files with what was read. The model chose the name
 * in the output. It counts only if the file was not seen before.
 */
export function filePart(output: JsonObject): Omit<LabelPart, "path"> {
  const copies = [output["textArtifact"], output["jsonArtifact"]].flatMap((copy) =>
    typeof copy === "object" && copy !== null && !Array.isArray(copy) ? textOf(copy, "digest") : [],
  );
  return {
    item: { kind: "file", title: textOf(output, "name") },
    digest: textOf(output, "digest"),
    copies,
  };
}
