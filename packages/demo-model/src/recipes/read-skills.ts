import type { Given, Step } from "../recipe/recipe.ts";

/** Reads the skills that fit the task before it does anything, if the Bron has them. */
export function readSkills<V>(wanted: (values: V & Given) => readonly string[]): Step<V> {
  return {
    if: ({ tools, skills }) => tools.includes("skill_read") && skills.length > 0,
    call: "skill_read",
    with: (values) =>
      wanted(values)
        .filter((name) => values.skills.includes(name))
        .map((skill) => ({ skill })),
    doing: "read the skills for this",
    // The task is possible without them too.
    rescue: () => undefined,
  };
}
