import { BronError } from "@bron/core";
import type { Runtime } from "bron";
import { bodyChunks, type ChunkTimes } from "../body-chunks.ts";
import type { On } from "../register-endpoint.ts";

interface UploadRoutesDeps {
  readonly runtime: Pick<Runtime, "uploads">;
  readonly times: ChunkTimes;
}

export function addUploadRoutes(on: On, { runtime, times }: UploadRoutesDeps): void {
  on("POST /api/uploads/token", async ({ caller: { ownerId }, body }) => {
    const { upload, token, expiresAt } = await runtime.uploads.create(ownerId, body);
    // Without a host: a page asks whichever name of this server it came from.
    return { upload, token, url: `/api/uploads/${upload.id}?token=${token}`, expiresAt };
  });

  // What the client says of the length and of the type is not believed: the token says both.
  on("PUT /api/uploads/:id", ({ params, query, c }) => {
    if ((c.req.header("content-encoding") ?? "identity") !== "identity")
      throw new BronError("invalid_input", "The bytes must not be compressed on their way.");
    return runtime.uploads.put(params.id, query.token, bodyChunks(c.env.incoming, times));
  });

  on("POST /api/uploads/complete", ({ caller: { ownerId }, body }) =>
    runtime.uploads.complete(ownerId, body),
  );
  on("GET /api/uploads/:id", ({ caller: { ownerId }, params }) =>
    runtime.uploads.get(ownerId, params.id),
  );
}
