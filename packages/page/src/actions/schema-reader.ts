import type { JsonObject } from "@bron/protocol";
import type { Node } from "yaml";

/** Throws invalid_input with the file, the line and the path of the first problem. */
export type FailAt = (node: Node | undefined, path: string, problem: string) => never;

/** What the readers of both notations need. */
export interface SchemaReader {
  readonly fail: FailAt;
  readonly imports: Readonly<Record<string, string>>;
  /** Throws for aliases, which can make a small file a very large value. */
  readonly toJson: (node: Node) => JsonObject;
}
