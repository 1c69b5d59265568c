import { BronError } from "@bron/core";
import { checkUrl, type UrlRules } from "./check-url.ts";

/** Where a redirect leads, judged like any other address. Throws forbidden or tool_failed, in words that say why it is not followed. */
export function redirectTarget(from: URL, location: string, rules: UrlRules): URL {
  const next = URL.parse(location, from.href);
  if (!next) throw new BronError("tool_failed", `${from.host} leads to an address that is none.`);
  if (from.protocol === "https:" && next.protocol === "http:")
    throw new BronError(
      "forbidden",
      `${from.host} leads from https to http, where others can read along. It was not followed.`,
    );
  const wanted = checkUrl(next.href, rules);
  // Which host is asked was judged; another one is judged by itself, or an open redirect would carry anything anywhere.
  if (siteOf(wanted) !== siteOf(from))
    throw new BronError(
      "forbidden",
      `${from.host} leads to another host, which was not asked: ${wanted.href.slice(0, 500)}. Fetch that address if it is meant.`,
    );
  return wanted;
}

function siteOf({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, "")}:${port}`;
}
