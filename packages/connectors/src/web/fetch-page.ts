import { BronError, messageOf } from "@bron/core";
import { lookup as resolveName, type LookupAddress, type LookupAllOptions } from "node:dns";
import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./allowed-address.ts";
import { checkUrl, notPublic, type UrlRules } from "./check-url.ts";
import { readBody } from "./read-body.ts";
import { redirectTarget } from "./redirect-target.ts";

/** Every address that a name has. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

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
  /** None if the status says that there is no page. */
  readonly bytes: Uint8Array;
  /** Hosts on the way, in order. */
  readonly hops: readonly string[];
}

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/** Follows redirects, and judges each of them anew: a page outside may point inside. */
export async function fetchPage(
  address: string,
  rules: FetchRules,
  signal: AbortSignal,
): Promise<FetchedPage> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(rules.timeoutMs)]);
  const hops: string[] = [];
  let url = checkUrl(address, rules);
  for (;;) {
    hops.push(url.host);
    const response = await request(url, rules, limit);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (!redirects.has(status) || location === undefined)
      return { url: url.href, status, ...(await readPage(response, rules, limit)), hops };
    response.destroy();
    if (hops.length > maxRedirects)
      throw new BronError(
        "tool_failed",
        `${address} leads on and on: after ${maxRedirects} redirects it was given up.`,
      );
    url = redirectTarget(url, location, rules);
  }
}

/** What a page says that is not there is nobody's business, of whatever type it is. */
async function readPage(
  response: IncomingMessage,
  { maxBytes }: FetchRules,
  limit: AbortSignal,
): Promise<Pick<FetchedPage, "mediaType" | "charset" | "bytes">> {
  const [type = "", ...parameters] = (
    response.headers["content-type"] ?? "application/octet-stream"
  )
    .split(";")
    .map((part) => part.trim());
  const mediaType = type.toLowerCase();
  const charset = parameters
    .map((part) => /^charset="?([\w.:-]+)"?$/i.exec(part)?.[1])
    .find(Boolean);
  try {
    if (!hasPage(response.statusCode ?? 0)) return { mediaType, charset, bytes: new Uint8Array() };
    checkType(mediaType);
    return { mediaType, charset, bytes: await readBody(response, maxBytes, limit) };
  } finally {
    response.destroy();
  }
}

/** Whether an answer of this status brings a page along. */
export function hasPage(status: number): boolean {
  return status >= 200 && status < 300 && status !== 204 && status !== 205;
}

const readable =
  /^(?:text\/|image\/(?:png|jpeg|webp|bmp)$|application\/(?:json|xml|pdf|xhtml\+xml|rss\+xml|atom\+xml|ld\+json|csv|vnd\.openxmlformats-officedocument\.(?:wordprocessingml\.document|spreadsheetml\.sheet))$)/;

function checkType(mediaType: string): void {
  if (!readable.test(mediaType))
    throw new BronError(
      "invalid_input",
      `It is ${mediaType || "of no named kind"}, and only pages, text, PDF, Word, Excel, CSV, JSON and images are fetched.`,
    );
}

async function request(
  url: URL,
  { alsoAllow, resolve = resolveName }: FetchRules,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const { request: ask } = await (url.protocol === "https:"
    ? import("node:https")
    : import("node:http"));
  const options = {
    method: "GET",
    signal,
    // No connection is shared: each is made to an address that was judged for this request.
    agent: false,
    headers: {
      "user-agent": "Bron/0.1 (personal agent)",
      accept:
        "text/html, application/xhtml+xml, text/plain, application/json, application/pdf, */*;q=0.5",
      "accept-encoding": "gzip, deflate, br",
      "accept-language": "en, *;q=0.5",
    },
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
  if (!aborted)
    return new BronError("tool_failed", `${host} could not be reached: ${messageOf(error)}`, {
      cause: error,
    });
  const isTooSlow = reason instanceof DOMException && reason.name === "TimeoutError";
  return isTooSlow
    ? new BronError("tool_timeout", `${host} did not answer in time.`, { cause: error })
    : reason;
}

/** Judges what a name resolves to where it is used, so that it cannot become another one in between. */
function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      // One inside is enough to refuse: the next look at the same name might give that one.
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !isPublicAddress(address)))
        return callback(notPublic(hostname), "", 0);
      return options.all === true
        ? callback(null, addresses)
        : callback(null, first.address, first.family);
    });
}
