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
  // Made on demand, because it takes a seventh of the time to start a server.
  let description: ReturnType<typeof describeApi> | undefined;
  const describeOnce = () => (description ??= describeApi(version, { port, pages }));
  const policy = { "content-security-policy": pagePolicy };
  on("GET /openapi.json", () => Promise.resolve(describeOnce()));
  on("GET /docs", ({ c }) =>
    Promise.resolve(c.html(renderDocs(describeOnce(), origin), 200, policy)),
  );
  on("GET /docs/errors", ({ c }) => Promise.resolve(c.html(renderErrors(), 200, policy)));
  on("GET /docs/guides/:name", async ({ c, params }) =>
    c.html(await renderGuide(params.name), 200, policy),
  );
}
