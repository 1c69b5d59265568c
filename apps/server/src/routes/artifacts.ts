import type { Bron } from "bron";
import type { On } from "../door.ts";

export function addArtifactRoutes(on: On, { bron }: { readonly bron: Pick<Bron, "runs" | "artifacts"> }): void {
  on("GET /api/runs/:id/artifacts", async ({ caller: { ownerId }, params }) => {
    const { id } = await bron.runs.get(ownerId, params.id);
    return { artifacts: await bron.artifacts.list(ownerId, id) };
  });

  // Never shown in the page's origin, whatever the bytes are. Without a name in the header, a link's `download` attribute gives it.
  on("GET /api/artifacts/:digest", async ({ caller: { ownerId }, params, c }) => {
    const bytes = await bron.artifacts.read(ownerId, params.digest);
    return c.body(bytes as Uint8Array<ArrayBuffer>, 200, { "content-type": "application/octet-stream", "content-disposition": "attachment", "content-security-policy": "sandbox; default-src 'none'" });
  });
}
