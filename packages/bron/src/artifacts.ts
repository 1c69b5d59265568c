import { BronError, type Artifacts } from "@bron/core";
import type { ArtifactView } from "@bron/protocol";

export interface BronArtifacts {
  list(ownerId: string, runId: string): Promise<ArtifactView[]>;
  read(ownerId: string, digest: string): Promise<Uint8Array>;
}

export function createArtifacts(artifacts: Artifacts): BronArtifacts {
  return {
    list: artifacts.list,
    async read(ownerId, digest) {
      const bytes = await artifacts.read(ownerId, digest);
      if (!bytes) throw new BronError("not_found", `There is no artifact with the digest ${digest}.`);
      return bytes;
    },
  };
}
