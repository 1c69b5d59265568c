import { BronError, type Artifacts, type OpenBytes } from "@bron/core";

/** Opens the content of an artifact, in chunks, for slow readers. Throws not_found. */
export async function openArtifact(
  artifacts: Pick<Artifacts, "open">,
  ownerId: string,
  digest: string,
): Promise<OpenBytes> {
  const found = await artifacts.open(ownerId, digest);
  if (!found) throw new BronError("not_found", `Artifact ${digest} not found.`);
  return found;
}
