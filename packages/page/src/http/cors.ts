import type { PageSite } from "../site/page-site.ts";
import { visitorHeader } from "./visitor.ts";

/** A header that browsers send to another origin only after the handler allowed it. */
export const pageHeader = "x-bron-page";

/** The origin of the page, if it is one of the site's. Exactly: scheme, host and port. */
export function allowedOrigin(
  request: Request,
  { origins }: Pick<PageSite, "origins">,
): string | undefined {
  const origin = request.headers.get("origin");
  return origin !== null && origins.includes(origin) ? origin : undefined;
}

/** No cookies are ever allowed: the handler knows visitors by their header alone. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": `accept, content-type, ${pageHeader}, ${visitorHeader}`,
    "access-control-expose-headers": `retry-after, ${visitorHeader}`,
    "access-control-max-age": "600",
    vary: "origin",
  };
}
