import type { SkillRow, Skills } from "@bron/core";
import { findBron } from "./memory-brons.ts";
import { ensureOwner, keyOf, stamp, type MemoryState, type Owned } from "./memory-state.ts";

export function memorySkills(state: MemoryState): Skills {
  const { skills, skillContents, audit } = state;
  const list = (ownerId: string): SkillRow[] =>
    [...skills.values()]
      .filter((row) => row.ownerId === ownerId)
      .map(({ ownerId: _, ...row }) => row)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const contentOf = (ownerId: string, digest: string) => skillContents.get(keyOf(ownerId, digest));
  return {
    list: (ownerId) => Promise.resolve(list(ownerId)),
    versions: (ownerId, digests) =>
      Promise.resolve(
        [...new Set(digests)].flatMap((digest) => contentOf(ownerId, digest)?.version ?? []),
      ),
    content: (ownerId, digest) => Promise.resolve(contentOf(ownerId, digest)),
    async save(ownerId, content) {
      ensureOwner(state, ownerId);
      const key = keyOf(ownerId, content.version.digest);
      if (!skillContents.has(key)) skillContents.set(key, structuredClone(content));
    },
    async change(ownerId, name, decide) {
      const key = keyOf(ownerId, name);
      const before = skills.get(key);
      const change = decide(before && withoutOwner(before));
      if (!change) return;
      if (change.after) {
        const { accepted, proposed } = change.after;
        const isNew = accepted !== null && accepted.digest !== before?.accepted?.digest;
        const acceptedAt = isNew ? stamp(state) : accepted && (before?.acceptedAt ?? null);
        skills.set(key, { ownerId, name, accepted, acceptedAt, proposed });
      } else skills.delete(key);
      audit.add(ownerId, [change.audit]);
    },
    async usable(ownerId, bronId) {
      const { skills: chosen = null } = findBron(state, ownerId, bronId) ?? {};
      return list(ownerId).flatMap(({ name, accepted }) => {
        const version = accepted && contentOf(ownerId, accepted.digest)?.version;
        if (!version || chosen?.includes(name) === false) return [];
        const { digest, description, allowedTools } = version;
        const isShipped = accepted.source === "shipped";
        return [{ name, digest, description, allowedTools, isShipped }];
      });
    },
  };
}

function withoutOwner({ ownerId: _, ...row }: Owned<SkillRow>): SkillRow {
  return row;
}
