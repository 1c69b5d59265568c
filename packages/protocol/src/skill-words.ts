import type { JsonValue } from "./json.ts";

/** The tool with which a model reads the skills of its run. */
export const skillReadName = "skill_read";

/** `invoice-summary` as people read it: Invoice summary. */
export function skillTitle(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ").trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** "Read the skill “Invoice summary”". Undefined for a call of another tool. */
export function describeSkillRead(
  { tool, input }: { readonly tool: string; readonly input: JsonValue | undefined },
  verb: string,
): string | undefined {
  if (tool !== skillReadName || typeof input !== "object" || input === null) return undefined;
  const name = Array.isArray(input) ? undefined : input["skill"];
  return typeof name === "string" ? `${verb} “${skillTitle(name)}”` : undefined;
}
