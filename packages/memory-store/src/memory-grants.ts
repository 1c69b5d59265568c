import { requireGrantTarget, type Permissions } from "@bron/core";
import { ensureBron, findBron } from "./memory-brons.ts";
import { stamp, type MemoryState } from "./memory-state.ts";
import { find, missing, noteChange, viewsOf, withoutOwner } from "./owned-rows.ts";

const dayMs = 24 * 3_600_000;

type Grants = Pick<Permissions, "listGrants" | "countUses" | "grant" | "revoke">;

export function memoryGrants(state: MemoryState): Grants {
  const { grants, uuid, now } = state;
  return {
    listGrants: async (ownerId) => listGrants(state, ownerId),
    async countUses(ownerId, grantIds) {
      for (const id of grantIds) {
        const grant = find(grants, ownerId, id);
        if (grant) grants.set(id, { ...grant, uses: grant.uses + 1 });
      }
    },
    async grant(ownerId, { bronId, tool, days, includesPrivate = false, ...named }) {
      const target = requireGrantTarget({ tool, ...named });
      requireBron(state, ownerId, bronId);
      const grant = {
        id: uuid(),
        bronId,
        tool,
        ...target,
        includesPrivate,
        expiresAt: new Date(now() + days * dayMs).toISOString(),
        revokedAt: null,
        uses: 0,
        createdAt: stamp(state),
      };
      grants.set(grant.id, { ...grant, ownerId });
      noteChange(state, ownerId, "grant.given", grant);
      return grant;
    },
    async revoke(ownerId, id) {
      const grant = find(grants, ownerId, id);
      if (!grant || grant.revokedAt !== null) throw missing("grant");
      const revoked = { ...grant, revokedAt: stamp(state) };
      grants.set(id, revoked);
      noteChange(state, ownerId, "grant.revoked", withoutOwner(revoked));
    },
  };
}

/** Newest first. */
export const listGrants = ({ grants }: MemoryState, ownerId: string) =>
  viewsOf(grants, ownerId).toReversed();

/** Creates the default Bron. Throws not_found unless the owner has the given one. */
export function requireBron(state: MemoryState, ownerId: string, bronId: string | null): void {
  ensureBron(state, ownerId);
  if (bronId !== null && !findBron(state, ownerId, bronId)) throw missing("Bron");
}
