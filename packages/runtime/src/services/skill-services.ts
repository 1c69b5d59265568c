import {
  acceptSkill,
  noSkill,
  removeSkill,
  BronError,
  type SkillRow,
  type Skills,
  type Tool,
} from "@bron/core";
import type { PlacedSkillVersion, SkillReview, SkillVersion, SkillView } from "@bron/protocol";
import type { SkillLibrary } from "../open-skills.ts";
import { compareSkills } from "../skill-changes.ts";
import { Created, type ServicesOf } from "./service.ts";

type SkillKeys =
  | "GET /api/skills"
  | "GET /api/skills/:name"
  | "POST /api/skills"
  | "POST /api/skills/:name/accept"
  | "DELETE /api/skills/:name";

interface SkillServicesDeps {
  readonly skills: Skills;
  readonly library: SkillLibrary;
  readonly tools: ReadonlyMap<string, Tool>;
}

/** The owner's skills: what they are, where they came from, and which versions Brons may use. */
export function skillServices({
  skills,
  library,
  tools,
}: SkillServicesDeps): ServicesOf<SkillKeys> {
  const list = async (ownerId: string): Promise<SkillView[]> => {
    const rows = await skills.list(ownerId);
    const digests = rows.flatMap(({ accepted, proposed }) =>
      [accepted, proposed].flatMap((version) => version?.digest ?? []),
    );
    const versions = await skills.versions(ownerId, digests);
    const known = new Map(versions.map((version) => [version.digest, version]));
    return rows.map((row) => viewOf(row, known));
  };
  const find = async (ownerId: string, name: string): Promise<SkillView> => {
    const found = (await list(ownerId)).find((skill) => skill.name === name);
    if (!found) throw noSkill(name);
    return found;
  };
  const review = async (ownerId: string, name: string): Promise<SkillReview> => {
    const skill = await find(ownerId, name);
    const textsOf = async (placed: PlacedSkillVersion | null) =>
      placed && (await skills.content(ownerId, placed.version.digest));
    const [accepted, proposed] = await Promise.all([
      textsOf(skill.accepted),
      textsOf(skill.proposed),
    ]);
    const shown = proposed ?? accepted;
    return {
      skill,
      texts: shown?.texts ?? [],
      unknownTools: (shown?.version.allowedTools ?? []).filter((tool) => !tools.has(tool)),
      changes: accepted && proposed ? compareSkills(accepted, proposed) : null,
    };
  };
  return {
    async "GET /api/skills"({ caller: { ownerId } }) {
      const problems = await library.refresh(ownerId);
      return { skills: await list(ownerId), problems: [...problems] };
    },
    "GET /api/skills/:name": ({ caller: { ownerId }, params }) => review(ownerId, params.name),
    async "POST /api/skills"({ caller: { ownerId }, body }) {
      if (!library.reader) throw new BronError("not_found", "This runtime can't read skills.");
      const content = await library.reader.read(body);
      await library.add(ownerId, content);
      const { name } = content.version;
      return new Created(await review(ownerId, name), `/api/skills/${name}`);
    },
    async "POST /api/skills/:name/accept"({ caller: { ownerId }, params: { name }, body }) {
      await skills.change(ownerId, name, (before) =>
        acceptSkill(before, { name, digest: body.digest }),
      );
      return await find(ownerId, name);
    },
    async "DELETE /api/skills/:name"({ caller: { ownerId }, params: { name } }) {
      const places = await placesOf(library);
      await skills.change(ownerId, name, (before) =>
        removeSkill(before, { name, isStillThere: isThere(before, places) }),
      );
      return undefined;
    },
  };
}

async function placesOf({ reader }: SkillLibrary): Promise<ReadonlySet<string>> {
  const { skills = [] } = (await reader?.found()) ?? {};
  return new Set(skills.map(({ place }) => place));
}

/** Whether a look at the folders, or the next start, would bring the skill back. */
function isThere(row: SkillRow | undefined, places: ReadonlySet<string>): boolean {
  return [row?.proposed, row?.accepted].some(
    (version) =>
      version &&
      (version.source === "shipped" || (version.place !== null && places.has(version.place))),
  );
}

function viewOf(
  { name, accepted, acceptedAt, proposed }: SkillRow,
  versions: ReadonlyMap<string, SkillVersion>,
): SkillView {
  const placed = (row: SkillRow["accepted"]): PlacedSkillVersion | null => {
    const version = row && versions.get(row.digest);
    return version ? { version, source: row.source, place: row.place } : null;
  };
  return {
    name,
    state: accepted ? (proposed ? "changed" : "accepted") : "new",
    accepted: placed(accepted),
    acceptedAt,
    proposed: placed(proposed),
  };
}
