import type { Bron } from "bron";
import type { Hono } from "hono";
import type { DoorEnv } from "../gate.ts";

export interface ArtifactRoutesParts {
  readonly bron: Pick<Bron, "runs" | "artifacts">;
  readonly ownerId: string;
}

export function addArtifactRoutes(app: Hono<DoorEnv>, { bron, ownerId }: ArtifactRoutesParts): void {
  app.get("/api/runs/:id/artifacts", async (c) => {
    const { id } = await bron.runs.get(ownerId, c.req.param("id"));
    return c.json({ artifacts: await bron.artifacts.list(ownerId, id) });
  });

  // Never shown in the page's origin, whatever the bytes are. Without a name in the header, a link's `download` attribute gives it.
  app.get("/api/artifacts/:digest", async (c) => {
    const bytes = await bron.artifacts.read(ownerId, c.req.param("digest"));
    return c.body(bytes as Uint8Array<ArrayBuffer>, 200, { "content-type": "application/octet-stream", "content-disposition": "attachment", "content-security-policy": "sandbox; default-src 'none'" });
  });
}
