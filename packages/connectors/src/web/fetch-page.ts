import { actionFailure, BronError, messageOf } from "@bron/core";
import { lookup as resolveName, type LookupAddress, type LookupAllOptions } from "node:dns";
import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { isPublicAddress } from "./allowed-address.ts";
import { checkUrl, notPublic, type UrlRules } from "./check-url.ts";
import { readBody } from "./read-body.ts";
import { redirectTarget } from "./redirect-target.ts";

/** Resolves a name to all of its addresses. */
export type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface FetchRules extends UrlRules {
  /** Defaults to the system's resolver. Tests replace it. */
  readonly resolve?: Resolve;
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

export interface FetchedPage {
  /** The final URL after redirects. */
  readonly url: string;
  readonly status: number;
  readonly mediaType: string;
  readonly charset: string | undefined;
  /** Empty if the status has no page. */
  readonly bytes: Uint8Array;
  /** Hosts that were visited, in order. */
  readonly hops: readonly string[];
}

const maxRedirects = 5;
const redirects = new Set([301, 302, 303, 307, 308]);

/**
 * Follows redirects and checks each target again, because a public page may redirect to a private
 * address.
 */
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
      throw actionFailure("tool_failed", {
        code: "redirect_limit",
        url: address,
        limit: maxRedirects,
      });
    url = redirectTarget(url, location, rules);
  }
}

/** Ignores the body of error responses, whatever their type. */
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

/** Whether a response with this status carries a page. */
export function hasPage(status: number): boolean {
  return status >= 200 && status < 300 && status !== 204 && status !== 205;
}

const readable =
  /^(?:text\/|image\/(?:png|jpeg|webp|bmp)$|application\/(?:json|xml|pdf|xhtml\+xml|rss\+xml|atom\+xml|ld\+json|csv|vnd\.openxmlformats-officedocument\.(?:wordprocessingml\.document|spreadsheetml\.sheet))$)/;

function checkType(mediaType: string): void {
  if (!readable.test(mediaType))
    throw actionFailure("invalid_input", {
      code: "page_type_unsupported",
      mediaType: mediaType || "unknown",
    });
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
    // Connections are not reused, because each must go to an address that was checked for this
    // request.
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
  return await new Promise((onResponse, reject) => {
    const outgoing = ask(url, options, onResponse);
    outgoing.once("error", (error) => reject(failureOf(error, url.host, signal)));
    outgoing.end();
  });
}

function failureOf(error: Error, host: string, { aborted, reason }: AbortSignal): unknown {
  if (BronError.is(error)) return error;
  if (!aborted)
    return actionFailure(
      "tool_failed",
      { code: "service_unreachable", service: host, message: messageOf(error) },
      { cause: error },
    );
  const isTooSlow = reason instanceof DOMException && reason.name === "TimeoutError";
  return isTooSlow
    ? actionFailure("tool_timeout", { code: "page_timed_out", host }, { cause: error })
    : reason;
}

/**
 * Checks addresses at connect time, so that the name cannot resolve to something else in between.
 */
function publicLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) =>
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, "", 0);
      // One private address is enough to refuse, because the next lookup might return that one.
      const [first] = addresses;
      if (!first || addresses.some(({ address }) => !isPublicAddress(address)))
        return callback(notPublic(hostname), "", 0);
      return options.all === true
        ? callback(null, addresses)
        : callback(null, first.address, first.family);
    });
}
