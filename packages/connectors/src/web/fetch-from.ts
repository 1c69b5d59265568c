import { checkUrl } from "./check-url.ts";
import { fetchPage, type FetchedPage, type FetchRules } from "./fetch-page.ts";

/** Where pages come from, and the limits of a request. */
export interface FetchSource extends Partial<
  Pick<FetchRules, "maxBytes" | "timeoutMs" | "alsoAllow">
> {
  /**
   * In the demo there is no internet. All URLs are requested from this gateway, which responds for
   * all hosts.
   */
  readonly gateway?: string;
}

export const fetchRulesOf = ({ gateway: _, ...rules }: FetchSource): FetchRules => ({
  maxBytes: 5 * 1024 * 1024,
  timeoutMs: 20_000,
  ...rules,
});

/** Fetches a page, in the demo from the gateway. */
export async function fetchFrom(
  source: FetchSource,
  url: string,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const rules = fetchRulesOf(source);
  return source.gateway === undefined
    ? await fetchPage(url, rules, signal)
    : await fetchThrough(source.gateway, url, rules, signal);
}

/** Checks the URL as usual, but sends the request to the gateway. */
async function fetchThrough(
  gateway: string,
  url: string,
  rules: FetchRules,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const requested = checkUrl(url, rules);
  const gatewayUrl = new URL(gateway);
  gatewayUrl.searchParams.set("url", requested.href);
  const page = await fetchPage(
    gatewayUrl.href,
    { ...rules, alsoAllow: new Set([gatewayUrl.host]) },
    signal,
  );
  return { ...page, url: requested.href, hops: [requested.host] };
}
