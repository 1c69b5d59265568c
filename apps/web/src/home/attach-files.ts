import { ClientError } from "@bron/client";
import { problemReasonOf, type UploadView } from "@bron/protocol";
import type { api } from "../api.ts";

/**
 * Attaches files to a run under way. Returns those that came after its end, which are for the next
 * task.
 */
export async function attachToRun(
  client: Pick<typeof api, "call">,
  runId: string,
  uploads: readonly UploadView[],
): Promise<readonly UploadView[]> {
  for (const [index, { id: uploadId }] of uploads.entries()) {
    try {
      await client.call("POST /api/uploads/complete", { body: { uploadId, runId } });
    } catch (error) {
      if (isTooLate(error)) return uploads.slice(index);
      throw error;
    }
  }
  return [];
}

function isTooLate(error: unknown): boolean {
  return (
    ClientError.is(error, "conflict") &&
    problemReasonOf(error.details)?.code === "attached_too_late"
  );
}
