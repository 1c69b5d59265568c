import type { Artifacts, FilePreviewer } from "@bron/core";
import type { FilePreview } from "@bron/protocol";
import { openArtifact } from "../open-artifact.ts";
import type { ServicesOf } from "./service.ts";

interface PreviewServicesDeps {
  readonly artifacts: Pick<Artifacts, "open" | "read">;
  readonly previewFile: FilePreviewer | undefined;
}

/** A larger file is not read into memory. */
const maxBytes = 20 * 1024 * 1024;
const maxKept = 50;

/** The previews of an owner's files. A digest names the same bytes for ever, so they are kept. */
export function previewServices({
  artifacts,
  previewFile,
}: PreviewServicesDeps): ServicesOf<"GET /api/artifacts/:digest/preview"> {
  const kept = new Map<string, Promise<FilePreview>>();
  return {
    async "GET /api/artifacts/:digest/preview"({ caller: { ownerId }, params, query }) {
      const { digest } = params;
      const { sizeBytes } = await openArtifact(artifacts, ownerId, digest);
      if (!previewFile) return { kind: "none", reason: "unsupported" };
      if (sizeBytes > maxBytes) return { kind: "none", reason: "too_large" };
      const key = JSON.stringify([digest, query.name, query.mediaType]);
      const preview = kept.get(key) ?? make(key, { ownerId, digest, ...query, previewFile });
      // Set again, so that the first key is always the one that was not used for longest.
      kept.delete(key);
      kept.set(key, preview);
      for (const oldest of kept.keys()) if (kept.size > maxKept) kept.delete(oldest);
      return await preview;
    },
  };

  async function make(key: string, file: FileToPreview): Promise<FilePreview> {
    try {
      const { ownerId, digest, name, mediaType } = file;
      const bytes = await artifacts.read(ownerId, digest);
      if (!bytes) return { kind: "none", reason: "failed" };
      const preview = await file.previewFile({ bytes, name, mediaType });
      // The next try may have more luck, for example on a machine that is less busy.
      if (preview.kind === "none" && preview.reason === "failed") kept.delete(key);
      return preview;
    } catch (error) {
      kept.delete(key);
      throw error;
    }
  }
}

interface FileToPreview {
  readonly ownerId: string;
  readonly digest: string;
  readonly name?: string | undefined;
  readonly mediaType?: string | undefined;
  readonly previewFile: FilePreviewer;
}
