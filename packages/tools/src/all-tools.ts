import type { Tool } from "@bron/core";
import { join } from "node:path";
import { calculator } from "./calculator.ts";
import { createClock } from "./clock.ts";
import { createNotes } from "./notes.ts";
import { createPostNote } from "./post-note.ts";

export function allTools(home: string, now: () => Date): readonly Tool[] {
  return [
    calculator,
    createClock(now),
    ...createNotes(join(home, "notes")),
    createPostNote(join(home, "boards")),
  ];
}
