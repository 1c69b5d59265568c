import type { AuditKind, SkillSource } from "@bron/protocol";
import { BronError } from "../errors.ts";
import type { NewAudit } from "../ports/audit.ts";
import type { SkillChange, SkillRow } from "../ports/skills.ts";

export interface FoundVersion {
  readonly name: string;
  readonly digest: string;
  readonly source: SkillSource;
  readonly place: string | null;
}

/** The owner adds a version. It waits for a review, unless it is the accepted one. */
export function addSkill(before: SkillRow | undefined, found: FoundVersion): SkillChange {
  const version = placed(found);
  const isAccepted = before?.accepted?.digest === found.digest;
  return {
    after: { accepted: before?.accepted ?? null, proposed: isAccepted ? null : version },
    audit: entry("skill.added", found),
  };
}

/**
 * A folder has a version. It waits for a review if it is new in this place. A skill that the owner
 * has from another place stays as it is.
 */
export function findSkill(
  before: SkillRow | undefined,
  found: FoundVersion,
): SkillChange | undefined {
  if (!isFrom(before, found)) return undefined;
  const isKnown = [before?.accepted?.digest, before?.proposed?.digest].includes(found.digest);
  return isKnown ? undefined : addSkill(before, found);
}

/** Whether a skill has no version from another place. */
export function isFrom(
  before: SkillRow | undefined,
  { source, place }: Pick<FoundVersion, "source" | "place">,
): boolean {
  return [before?.accepted, before?.proposed].every(
    (version) => !version || (version.source === source && version.place === place),
  );
}

/**
 * A version that comes with Bron counts without a review. It replaces an older one that came with
 * Bron, and nothing else. A removed one stays removed.
 */
export function shipSkill(
  before: SkillRow | undefined,
  found: FoundVersion,
): SkillChange | undefined {
  const change = (after: NonNullable<SkillChange["after"]>): SkillChange => ({
    after,
    audit: { ...entry("skill.accepted", found), by: "system" },
  });
  if (!before) return change({ accepted: placed(found), proposed: null });
  const { accepted, proposed } = before;
  if (accepted?.source === "shipped" && accepted.digest !== found.digest)
    return change({ accepted: placed(found), proposed });
  if (!accepted && proposed?.source === "shipped" && proposed.digest !== found.digest)
    return {
      after: { accepted, proposed: placed(found) },
      audit: { ...entry("skill.added", found), by: "system" },
    };
  return undefined;
}

/** Accepts exactly the version that was reviewed. Throws not_found or conflict. */
export function acceptSkill(
  before: SkillRow | undefined,
  { name, digest }: { readonly name: string; readonly digest: string },
): SkillChange | undefined {
  if (!before) throw noSkill(name);
  if (before.accepted?.digest === digest) return undefined;
  const { proposed } = before;
  if (proposed?.digest !== digest)
    throw new BronError(
      "conflict",
      `The skill ${name} has changed since you reviewed it. Review it again.`,
    );
  return {
    after: { accepted: proposed, proposed: null },
    audit: entry("skill.accepted", { ...proposed, name }),
  };
}

/**
 * Removes a skill. While its folder exists, or if it comes with Bron, it stays in the list without
 * an accepted version. Throws not_found.
 */
export function removeSkill(
  before: SkillRow | undefined,
  { name, isStillThere }: { readonly name: string; readonly isStillThere: boolean },
): SkillChange {
  const version = before?.accepted ?? before?.proposed;
  if (!before || !version) throw noSkill(name);
  const kept = [before.proposed, before.accepted].find(
    (known) => known && known.source !== "added",
  );
  return {
    after: isStillThere && kept ? { accepted: null, proposed: kept } : null,
    audit: entry("skill.removed", { ...version, name }),
  };
}

export function noSkill(name: string): BronError {
  return new BronError(
    "not_found",
    `There is no skill ${JSON.stringify(name)}. bron skills list shows all of them.`,
  );
}

const placed = ({ digest, source, place }: FoundVersion) => ({ digest, source, place });

function entry(what: AuditKind, { name, digest, source }: FoundVersion): NewAudit {
  return { what, by: "owner", digest, details: { name, source } };
}
