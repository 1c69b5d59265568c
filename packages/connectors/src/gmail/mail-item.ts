import { textOf } from "@bron/core";
import type { JsonObject, SourceItem } from "@bron/protocol";

/** What the owner recognizes an email by. */
export function mailItem(mail: JsonObject): SourceItem {
  return {
    kind: "email",
    title: textOf(mail, "subject"),
    author: textOf(mail, "from"),
    date: textOf(mail, "date"),
  };
}
