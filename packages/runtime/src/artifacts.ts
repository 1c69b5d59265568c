import { BronError, type Artifacts, type OpenBytes } from "@bron/core";
import type { ArtifactView } from "@bron/protocol";

export interface ArtifactService {
  list(ownerId: string, runId: string): Promise<ArtifactView[]>;
  read(ownerId: string, digest: string): Promise<Uint8Array>;
  /** Like `read`, but in chunks, for slow consumers. */
  open(ownerId: string, digest: string): Promise<OpenBytes>;
}

export function createArtifacts(artifacts: Artifacts): ArtifactService {
  const needed = <T>(found: T | undefined, digest: string): T => {
    if (found === undefined) throw new BronError("not_found", `Artifact ${digest} not found.`);
    return found;
  };
  return {
    list: artifacts.list,
    read: async (ownerId, digest) => needed(await artifacts.read(ownerId, digest), digest),
    open: async (ownerId, digest) => needed(await artifacts.open(ownerId, digest), digest),
  };
}
