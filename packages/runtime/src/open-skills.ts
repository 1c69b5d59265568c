import {
  addSkill,
  findSkill,
  isFrom,
  noSkill,
  shipSkill,
  type FoundVersion,
  type RunSkills,
  type SkillChange,
  type SkillReader,
  type SkillRow,
  type Skills,
} from "@bron/core";
import type { SkillContent, SkillProblem } from "@bron/protocol";

export interface SkillLibrary {
  readonly reader: SkillReader | undefined;
  /** The skills of runs. */
  readonly forRuns: RunSkills;
  /** Stores what the folders have. Returns why some of it cannot be used. */
  refresh(ownerId: string): Promise<readonly SkillProblem[]>;
  /** Stores a skill for review. */
  add(ownerId: string, content: SkillContent): Promise<void>;
}

/** Skills of the store, with those that come with Bron and those in folders of this machine. */
export function openSkills(skills: Skills, reader: SkillReader | undefined): SkillLibrary {
  /** The owners whose shipped skills this process has stored. */
  const shippedTo = new Map<string, Promise<void>>();
  let shipped: Promise<readonly SkillContent[]> | undefined;
  const readShipped = () => (shipped ??= reader?.shipped() ?? Promise.resolve([]));
  const put = async (
    ownerId: string,
    content: SkillContent,
    { source, place, change }: Pick<FoundVersion, "source" | "place"> & { readonly change: Change },
  ) => {
    const { name, digest } = content.version;
    const found = { name, digest, source, place };
    await skills.save(ownerId, content);
    await skills.change(ownerId, name, (before) => change(before, found));
  };
  const shipTo = (ownerId: string): Promise<void> => {
    const started = shippedTo.get(ownerId);
    if (started) return started;
    const storing = storeShipped(ownerId);
    shippedTo.set(ownerId, storing);
    // A database that was away is tried again.
    storing.catch(() => shippedTo.delete(ownerId));
    return storing;
  };
  const storeShipped = async (ownerId: string) => {
    if (!reader) return;
    const stored = new Map((await skills.list(ownerId)).map((row) => [row.name, row]));
    for (const content of await readShipped()) {
      const { name, digest } = content.version;
      const row = stored.get(name);
      const found = { name, digest, source: "shipped", place: null } as const;
      if (shipSkill(row, found))
        await put(ownerId, content, { source: "shipped", place: null, change: shipSkill });
    }
  };
  return {
    reader,
    forRuns: {
      async usable(ownerId, bronId) {
        await shipTo(ownerId);
        return await skills.usable(ownerId, bronId);
      },
      versions: (ownerId, digests) => skills.versions(ownerId, digests),
      async content(ownerId, digest) {
        const content = await skills.content(ownerId, digest);
        if (!content) return undefined;
        const isShipped = (await readShipped()).some(({ version }) => version.digest === digest);
        return { ...content, isShipped };
      },
    },
    async refresh(ownerId) {
      await shipTo(ownerId);
      if (!reader) return [];
      const { skills: found, problems } = await reader.found();
      const stored = new Map((await skills.list(ownerId)).map((row) => [row.name, row]));
      const taken = new Map<string, string>();
      const more: SkillProblem[] = [];
      for (const { content, source, place } of found) {
        const { name, digest } = content.version;
        const isTaken = taken.has(name) || !isFrom(stored.get(name), { source, place });
        if (isTaken) {
          more.push({ place, file: "SKILL.md", line: null, message: takenBy(name) });
          continue;
        }
        taken.set(name, place);
        if (findSkill(stored.get(name), { name, digest, source, place }))
          await put(ownerId, content, { source, place, change: findSkill });
      }
      await forgetGone(skills, ownerId, new Set(found.map(({ place }) => place)));
      return [...problems, ...more];
    },
    async add(ownerId, content) {
      await shipTo(ownerId);
      await put(ownerId, content, { source: "added", place: null, change: addSkill });
    },
  };
}

type Change = (before: SkillRow | undefined, found: FoundVersion) => SkillChange | undefined;

/** A version that waits for a review and whose folder is gone is forgotten. Accepted ones stay. */
async function forgetGone(
  skills: Skills,
  ownerId: string,
  present: ReadonlySet<string>,
): Promise<void> {
  for (const { name, proposed } of await skills.list(ownerId)) {
    const place = proposed?.place ?? null;
    if (place === null || present.has(place)) continue;
    await skills.change(ownerId, name, (before) => {
      if (!before) throw noSkill(name);
      if (before.proposed?.place !== place) return undefined;
      const { accepted } = before;
      const { digest, source } = before.proposed;
      return {
        after: accepted ? { accepted, proposed: null } : null,
        audit: { what: "skill.removed", by: "system", digest, details: { name, source } },
      };
    });
  }
}

function takenBy(name: string): string {
  return `You already have a skill called ${name} from another place. Rename the folder and the skill to use both.`;
}
