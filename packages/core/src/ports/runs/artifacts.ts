import type { ArtifactView } from "@bron/protocol";

export interface NewArtifact {
  readonly ownerId: string;
  readonly runId: string;
  readonly kind: string;
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface Artifacts {
  /**
   * Stores bytes under their digest, once per owner. The artifact becomes visible with its event.
   */
  put(artifact: NewArtifact): Promise<{ artifactId: string; digest: string; sizeBytes: number }>;
  list(ownerId: string, runId: string): Promise<ArtifactView[]>;
  read(ownerId: string, digest: string): Promise<Uint8Array | undefined>;
  /**
   * Streams the same bytes. `chunks` can be read once. It throws before its end if the bytes do not
   * match the stored digest.
   */
  open(ownerId: string, digest: string): Promise<OpenBytes | undefined>;
}

export interface OpenBytes {
  readonly sizeBytes: number;
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}
