import type { LoadedSettings } from "@bron/settings";
import { oneLine } from "../render/visible.ts";
import type { Check } from "./checks.ts";

/** The settings file of the current folder, if it does not count. */
export function checkFolderSettings(ignored: LoadedSettings["ignored"]): Check[] {
  if (!ignored) return [];
  const text = `${oneLine(ignored.file, 300)} is ignored: ${ignored.reason}`;
  return [{ name: "Folder", level: "warn", text, next: "Review it with: bron trust" }];
}
