import { actionFailure } from "@bron/core";
import { checkUrl, type UrlRules } from "./check-url.ts";

/**
 * Resolves a redirect and checks its target like any other URL. Throws forbidden or tool_failed
 * with the reason why it is not followed.
 */
export function redirectTarget(from: URL, location: string, rules: UrlRules): URL {
  const next = URL.parse(location, from.href);
  if (!next) throw actionFailure("tool_failed", { code: "redirect_invalid", host: from.host });
  if (from.protocol === "https:" && next.protocol === "http:")
    throw actionFailure("forbidden", { code: "redirect_insecure", host: from.host });
  const target = checkUrl(next.href, rules);
  // Only the requested host was approved. Another host needs its own check, or an open redirect
  // could carry data anywhere.
  if (siteOf(target) !== siteOf(from))
    throw actionFailure("forbidden", {
      code: "redirect_elsewhere",
      host: from.host,
      url: target.href.slice(0, 500),
    });
  return target;
}

function siteOf({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, "")}:${port}`;
}
