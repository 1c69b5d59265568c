import type { SkillContent, SkillSource, SkillVersion } from "@bron/protocol";
import type { NewAudit } from "./audit.ts";

interface StoredSkillVersion {
  readonly digest: string;
  readonly source: SkillSource;
  readonly place: string | null;
}

/** A skill of an owner. It has an accepted version, a proposed one, or both. */
export interface SkillRow {
  readonly name: string;
  readonly accepted: StoredSkillVersion | null;
  readonly acceptedAt: string | null;
  readonly proposed: StoredSkillVersion | null;
}

/** A skill after a change. Null: it is removed. */
export interface SkillChange {
  readonly after: Pick<SkillRow, "accepted" | "proposed"> | null;
  readonly audit: NewAudit;
}

/** A version, and whether Bron itself wrote it. */
export interface ReadableSkill extends SkillContent {
  readonly isShipped: boolean;
}

/** A version that runs can use, and whether Bron itself wrote it. */
export interface UsableSkill extends Pick<
  SkillVersion,
  "name" | "digest" | "description" | "allowedTools"
> {
  readonly isShipped: boolean;
}

/**
 * The skills of an owner. The content of a version stays for the runs that pinned it, also when the
 * skill is gone.
 */
export interface Skills {
  /** By name. */
  list(ownerId: string): Promise<SkillRow[]>;
  /** Those that exist, in any order. */
  versions(ownerId: string, digests: readonly string[]): Promise<SkillVersion[]>;
  content(ownerId: string, digest: string): Promise<SkillContent | undefined>;
  /** Saves a version under its digest. Repeating it changes nothing. */
  save(ownerId: string, content: SkillContent): Promise<void>;
  /**
   * Changes one skill and writes the audit entry. `decide` is pure, gets the skill as it is now and
   * may throw. Undefined: nothing changes. The versions must have been saved.
   */
  change(
    ownerId: string,
    name: string,
    decide: (before: SkillRow | undefined) => SkillChange | undefined,
  ): Promise<void>;
  /** The accepted skills that a Bron has, by name. */
  usable(ownerId: string, bronId: string): Promise<UsableSkill[]>;
}
