import type { LoadedSettings } from "@bron/settings";
import { oneLine } from "./visible.ts";

/** Says why the settings file of a folder does not count, and how to change that. */
export function ignoredNote({ file, reason }: NonNullable<LoadedSettings["ignored"]>): string {
  return `Ignoring ${oneLine(file, 300)}: ${reason}. Review it with: bron trust`;
}
