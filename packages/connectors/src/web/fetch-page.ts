import { BronError, messageOf } from "@bron/core";
import { lookup as resolveName, type LookupAddress, type LookupAllOptions } from "node:dns";
import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./allowed-address.ts";
import { checkUrl, notPublic, type UrlRules } from "./check-url.ts";
import { readBody } from "./read-body.ts";

/** Every address that a name has. */
export type Resolve = (hostname: string, options: LookupAllOptions, callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void) => void;

export interface FetchRules extends UrlRules {
  /** The system's, unless a test brings its own. */
  readonly resolve?: Resolve;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface FetchedPage {
  /** Where it was in the end. */
  readonly url: string;
  readonly status: number;
  readonly mediaType: string;
  readonly charset: string | undefined;
  readonly bytes: Uint8Array;
  /** Hosts on the way, in order. */
  readonly hops: readonly string[];
}

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/** Follows redirects, and judges each of them anew: a page outside may point inside. */
export async function fetchPage(address: string, rules: FetchRules, signal: AbortSignal): Promise<FetchedPage> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(rules.timeoutMs)]);
  const hops: string[] = [];
  let url = checkUrl(address, rules);
  for (;;) {
    hops.push(url.host);
    const response = await request(url, rules, limit);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!redirects.has(status) || location === undefined) {
      const [mediaType = "", ...parameters] = (response.headers["content-type"] ?? "application/octet-stream").split(";").map((part) => part.trim());
      const charset = parameters.map((part) => /^charset="?([\w.:-]+)"?$/i.exec(part)?.[1]).find(Boolean);
      checkType(mediaType.toLowerCase());
      return { url: url.href, status, mediaType: mediaType.toLowerCase(), charset, bytes: await readBody(response, rules.maxBytes, limit), hops };
    }
    response.destroy();
    if (hops.length > maxRedirects) throw new BronError("tool_failed", `${address} leads on and on: after ${maxRedirects} redirects it was given up.`);
    const next = URL.parse(location, url.href);
    if (!next) throw new BronError("tool_failed", `${url.host} leads to an address that is none.`);
    if (url.protocol === "https:" && next.protocol === "http:") throw new BronError("forbidden", `${url.host} leads from https to http, where others can read along. It was not followed.`);
    const wanted = checkUrl(next.href, rules);
    // Which host is asked was judged; another one is judged by itself, or an open redirect would carry anything anywhere.
    if (siteOf(wanted) !== siteOf(url)) throw new BronError("forbidden", `${url.host} leads to another host, which was not asked: ${wanted.href.slice(0, 500)}. Fetch that address if it is meant.`);
    url = wanted;
  }
}

function siteOf({ hostname, port }: URL): string {
  return `${hostname.replace(/^www\./, "")}:${port}`;
}

const readable = /^(?:text\/|image\/(?:png|jpeg|webp|bmp)$|application\/(?:json|xml|pdf|xhtml\+xml|rss\+xml|atom\+xml|ld\+json|csv|vnd\.openxmlformats-officedocument\.(?:wordprocessingml\.document|spreadsheetml\.sheet))$)/;

function checkType(mediaType: string): void {
  if (!readable.test(mediaType)) throw new BronError("invalid_input", `It is ${mediaType || "of no named kind"}, and only pages, text, PDF, Word, Excel, CSV, JSON and images are fetched.`);
}

async function request(url: URL, { alsoAllow, resolve = resolveName }: FetchRules, signal: AbortSignal): Promise<IncomingMessage> {
  const { request: ask } = await (url.protocol === "https:" ? import("node:https") : import("node:http"));
  const options = {
    method: "GET",
    signal,
    // No connection is shared: each is made to an address that was judged for this request.
    agent: false,
    headers: { "user-agent": "Bron/0.1 (personal agent)", accept: "text/html, application/xhtml+xml, text/plain, application/json, application/pdf, */*;q=0.5", "accept-encoding": "gzip, deflate, br", "accept-language": "en, *;q=0.5" },
    ...(alsoAllow?.has(url.host) ? {} : { lookup: publicLookup(resolve) }),
  };
  return await new Promise((answer, reject) => {
    const outgoing = ask(url, options, answer);
    outgoing.once("error", (error) => reject(failureOf(error, url.host, signal)));
    outgoing.end();
  });
}

function failureOf(error: Error, host: string, { aborted, reason }: AbortSignal): unknown {
  if (BronError.is(error)) return error;
  if (!aborted) return new BronError("tool_failed", `${host} could not be reached: ${messageOf(error)}`, { cause: error });
  const isTooSlow = reason instanceof DOMException && reason.name === "TimeoutError";
  return isTooSlow ? new BronError("tool_timeout", `${host} did not answer in time.`, { cause: error }) : reason;
}

/** Judges what a name resolves to where it is used, so that it cannot become another one in between. */
function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      // One inside is enough to refuse: the next look at the same name might give that one.
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !isPublicAddress(address))) return callback(notPublic(hostname), "", 0);
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
}
