import { BronError } from "@bron/core";
import type { Runtime } from "@bron/runtime";
import { bodyChunks, type ChunkTimes } from "../body-chunks.ts";
import type { On } from "../register-endpoint.ts";

interface UploadRoutesDeps {
  readonly runtime: Pick<Runtime, "uploads">;
  readonly times: ChunkTimes;
}

export function addUploadRoutes(on: On, { runtime, times }: UploadRoutesDeps): void {
  on("POST /api/uploads/token", async ({ caller: { ownerId }, body }) => {
    const { upload, token, expiresAt } = await runtime.uploads.create(ownerId, body);
    // Has no host, so that a page uses the host name that it was loaded from.
    return { upload, token, url: `/api/uploads/${upload.id}?token=${token}`, expiresAt };
  });

  // Ignores the length and type in the headers. The token contains both.
  on("PUT /api/uploads/:id", ({ params, query, c }) => {
    if ((c.req.header("content-encoding") ?? "identity") !== "identity")
      throw new BronError("invalid_input", "The upload must not use a content encoding.");
    return runtime.uploads.put(params.id, query.token, bodyChunks(c.env.incoming, times));
  });

  on("POST /api/uploads/complete", ({ caller: { ownerId }, body }) =>
    runtime.uploads.complete(ownerId, body),
  );
  on("GET /api/uploads/:id", ({ caller: { ownerId }, params }) =>
    runtime.uploads.get(ownerId, params.id),
  );
}
