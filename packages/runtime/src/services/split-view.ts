import { splitEvent } from "@bron/core";
import type { RunEvent, SplitWords } from "@bron/protocol";
import { createHash } from "node:crypto";

/** What counts as the owner's words in an event, and what does not. See `splitEvent`. */
export function splitView(event: RunEvent): SplitWords | undefined {
  const split = splitEvent(event);
  return (
    split && {
      words: split.words,
      apart: split.apart.map(({ text, from }) => ({ text, from, digest: digestOf(text) })),
    }
  );
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
