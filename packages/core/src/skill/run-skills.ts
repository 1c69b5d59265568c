import { skillLimits, skillReadName, type PinnedSkill } from "@bron/protocol";
import type { ReadableSkill, Skills, UsableSkill } from "../ports/skills.ts";
import { noLabels, withResult, type RunLabels } from "../policy/run-labels.ts";
import type { RunTools } from "../tool-set/run-tools.ts";
import { loopTools } from "../tool-set/loop-tools.ts";
import type { RunHeader } from "../ports/runs/run-log.ts";
import type { RunState } from "../run/state/run-state.ts";

/** What the loop needs of skills. */
export interface RunSkills extends Pick<Skills, "versions"> {
  /** The skills that a new run can use, by name. */
  usable(ownerId: string, bronId: string): Promise<readonly UsableSkill[]>;
  content(ownerId: string, digest: string): Promise<ReadableSkill | undefined>;
}

export const noSkills: RunSkills = {
  usable: () => Promise.resolve([]),
  versions: () => Promise.resolve([]),
  content: () => Promise.resolve(undefined),
};

/** A skill as the model of a run sees it. */
export interface ShownSkill {
  readonly name: string;
  readonly description: string;
  readonly pinned: PinnedSkill;
}

interface ShownSkills {
  readonly shown: readonly ShownSkill[];
  /** Labels of the descriptions that others wrote. */
  readonly labels: RunLabels;
}

/**
 * The skills of a run: those of its Bron before its first step, and later the versions that its log
 * names. A run that has started without skills gets none.
 */
export async function skillsOf(
  skills: RunSkills,
  { ownerId, bronId }: Pick<RunHeader, "ownerId" | "bronId">,
  { skillSet, step }: Pick<RunState, "skillSet" | "step">,
): Promise<ShownSkills> {
  if (skillSet) {
    const digests = [...skillSet.values()].map(({ digest }) => digest);
    const versions = await skills.versions(ownerId, digests);
    const known = new Map(versions.map((version) => [version.digest, version]));
    const shown = [...skillSet].map(([name, pinned]) => {
      const { description = "" } = known.get(pinned.digest) ?? {};
      return { name, description, pinned };
    });
    return { shown, labels: labelsOf(shown) };
  }
  if (step > 0) return { shown: [], labels: noLabels };
  const shown = bounded(await skills.usable(ownerId, bronId)).map(
    ({ name, description, digest, allowedTools }) => ({
      name,
      description,
      pinned: { digest, ...(allowedTools ? { allowedTools } : {}) },
    }),
  );
  return { shown, labels: labelsOf(shown) };
}

/** Models read every description in every step, so there are not too many of them. */
function bounded(usable: readonly UsableSkill[]): readonly UsableSkill[] {
  let characters = 0;
  return usable.slice(0, skillLimits.shown).filter(({ name, description }) => {
    characters += name.length + description.length;
    return characters <= skillLimits.shownCharacters;
  });
}

/**
 * The owner has accepted the descriptions as text that says when to use a skill. An address or a link
 * in one is still not theirs.
 */
function labelsOf(shown: readonly ShownSkill[]): RunLabels {
  const labels = withResult(noLabels, {
    tool: "",
    actionId: "",
    label: { origin: "skill", trusted: false, private: false, readers: [] },
    value: shown.map(({ description }) => description),
  });
  return labels.seen.size === 0 ? noLabels : labels;
}

/** The tools that the run has besides skills: all of them, or those that its skills allow. */
export function withSkills(
  tools: RunTools,
  { skillSet, skillTools }: Pick<RunState, "skillSet" | "skillTools">,
  shown: readonly ShownSkill[],
): RunTools {
  const hasSkills = skillSet !== undefined || shown.length > 0;
  if (hasSkills && skillTools === undefined) return tools;
  const offered = [...tools.offered].filter(([name]) =>
    name === skillReadName
      ? hasSkills
      : skillTools === undefined || loopTools.has(name) || skillTools.has(name),
  );
  return offered.length === tools.offered.size ? tools : { ...tools, offered: new Map(offered) };
}

/** The tools that are left once a skill was read that allows only some. Never more than before. */
export function narrowedTools(
  before: ReadonlySet<string> | undefined,
  pinned: PinnedSkill | undefined,
): ReadonlySet<string> | undefined {
  if (!pinned?.allowedTools) return before;
  const allowed: ReadonlySet<string> = new Set(pinned.allowedTools);
  return before ? new Set([...before].filter((name) => allowed.has(name))) : allowed;
}
