import { requestError } from "@bron/core";
import type { Runtime } from "@bron/runtime";
import { bodyChunks, type ChunkTimes } from "../body-chunks.ts";
import type { On } from "../register-endpoint.ts";

interface UploadRoutesDeps {
  readonly runtime: Pick<Runtime, "receiveUpload">;
  readonly times: ChunkTimes;
}

export function addUploadRoutes(on: On, { runtime, times }: UploadRoutesDeps): void {
  // Ignores the length and type in the headers. The token contains both.
  on("PUT /api/uploads/:id", ({ params, query, c }) => {
    if ((c.req.header("content-encoding") ?? "identity") !== "identity")
      throw requestError("invalid_input", { code: "upload_encoded" });
    return runtime.receiveUpload(params.id, query.token, bodyChunks(c.env.incoming, times));
  });
}
