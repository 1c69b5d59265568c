import { BronError } from "@bron/core";
import { checkUrl, type UrlRules } from "./check-url.ts";

/**
 * Resolves a redirect and checks its target like any other URL. Throws forbidden or tool_failed
 * with the reason why it is not followed.
 */
export function redirectTarget(from: URL, location: string, rules: UrlRules): URL {
  const next = URL.parse(location, from.href);
  if (!next) throw new BronError("tool_failed", `${from.host} redirected to an invalid URL.`);
  if (from.protocol === "https:" && next.protocol === "http:")
    throw new BronError(
      "forbidden",
      `${from.host} redirects to an insecure (http) address, so Bron stopped.`,
    );
  const target = checkUrl(next.href, rules);
  // Only the requested host was approved. Another host needs its own check, or an open redirect
  // could carry data anywhere.
  if (siteOf(target) !== siteOf(from))
    throw new BronError(
      "forbidden",
      `${from.host} redirects to another host: ${target.href.slice(0, 500)}. Fetch that URL directly if it is the right one.`,
    );
  return target;
}

function siteOf({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, "")}:${port}`;
}
