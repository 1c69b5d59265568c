import { ClientError } from "@bron/client";
import type { ApprovalView } from "@bron/protocol";
import type { api } from "../api.ts";

interface Said {
  readonly words: string;
  readonly context?: string[];
}

/**
 * Replies to an open approval in words, so that it cannot be approved as it was. Returns false if it
 * was closed or changed in the meantime.
 */
export async function requestChanges(
  client: Pick<typeof api, "call">,
  { id, digest }: Pick<ApprovalView, "id" | "digest">,
  said: Said,
): Promise<boolean> {
  try {
    await client.call("POST /api/approvals/:id/reply", {
      params: { id },
      body: { digest, ...said },
    });
    return true;
  } catch (error) {
    if (ClientError.is(error, "approval_closed") || ClientError.is(error, "digest_mismatch"))
      return false;
    throw error;
  }
}
