import type { On } from "../register-endpoint.ts";
import { describeApi } from "../openapi/describe-api.ts";
import { renderDocs, renderErrors } from "../openapi/docs-page.ts";
import { renderGuide } from "../guide-page.ts";
import { pagePolicy } from "../pages.ts";

/** The API reference for programs and people, and the guides. Contains no data of any owner. */
export function addDocsRoutes(
  on: On,
  {
    version,
    origin,
    port,
    pages,
  }: {
    readonly version: string;
    readonly origin: string;
    readonly port: number;
    readonly pages: readonly string[];
  },
): void {
  const description = describeApi(version, { port, pages });
  const policy = { "content-security-policy": pagePolicy };
  on("GET /openapi.json", () => Promise.resolve(description));
  on("GET /docs", ({ c }) => Promise.resolve(c.html(renderDocs(description, origin), 200, policy)));
  on("GET /docs/errors", ({ c }) => Promise.resolve(c.html(renderErrors(), 200, policy)));
  on("GET /docs/guides/:name", async ({ c, params }) =>
    c.html(await renderGuide(params.name), 200, policy),
  );
}
