import type { ToolView } from "@bron/protocol";

/** Tools that every Bron needs to work. There is nothing to choose about them. */
const basic: ReadonlySet<string> = new Set([
  "ask_user",
  "await_bron",
  "calculator",
  "clock",
  "emit_ui",
  "output_read",
  "report_outcome",
  "skill_read",
  "spawn_bron",
]);
/** Changes that only the owner sees. */
const draftTools: ReadonlySet<string> = new Set([
  "gmail_draft_create",
  "gmail_draft_update",
  "notes_write",
]);

export const toolPresets = ["everything", "drafts", "read"] as const;
export type ToolPreset = (typeof toolPresets)[number];

/** Whether an owner decides about a tool. */
export function isChoosable({ name }: Pick<ToolView, "name">): boolean {
  return !basic.has(name);
}

/** The tools of a preset. Null means all tools, also those that are added later. */
export function presetTools(
  preset: ToolPreset,
  tools: readonly Pick<ToolView, "name" | "sideEffect">[],
): string[] | null {
  if (preset === "everything") return null;
  return tools
    .filter(
      ({ name, sideEffect }) =>
        basic.has(name) || !sideEffect || (preset === "drafts" && draftTools.has(name)),
    )
    .map(({ name }) => name);
}

/** The preset that a Bron's tools are, or `custom`. Only what an owner can choose counts. */
export function presetOf(
  chosen: readonly string[] | null,
  tools: readonly Pick<ToolView, "name" | "sideEffect">[],
): ToolPreset | "custom" {
  if (chosen === null) return "everything";
  const has = new Set(chosen);
  const choosable = tools.filter(isChoosable);
  const isSame = (preset: ToolPreset) => {
    const wanted = new Set(presetTools(preset, tools));
    return choosable.every(({ name }) => wanted.has(name) === has.has(name));
  };
  return (["drafts", "read"] as const).find(isSame) ?? "custom";
}
