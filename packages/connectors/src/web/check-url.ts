import { actionFailure, BronError } from "@bron/core";
import { isIP } from "node:net";
import { isPublicAddress } from "./allowed-address.ts";

const maxCharacters = 2_000;
/** Names that are never public, whatever a resolver returns for them. */
const localName =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|onion)$/i;

export interface UrlRules {
  /** Hosts with port that are allowed although they are not public. For tests and the demo. */
  readonly alsoAllow?: ReadonlySet<string>;
}

/**
 * Parses the URL of a page on the public internet. Throws invalid_arguments or forbidden with the
 * reason.
 */
export function checkUrl(text: string, { alsoAllow }: UrlRules = {}): URL {
  const url = text.length > maxCharacters ? null : URL.parse(text);
  if (!url)
    throw new BronError(
      "invalid_arguments",
      `${JSON.stringify(text.slice(0, 200))} is not a URL such as https://example.com/page.`,
    );
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw actionFailure("forbidden", { code: "url_scheme_refused", scheme: url.protocol });
  if (url.username !== "" || url.password !== "")
    throw actionFailure("forbidden", { code: "url_has_password" });
  if (alsoAllow?.has(url.host)) return url;
  if (url.port !== "")
    throw actionFailure("forbidden", { code: "url_port_refused", port: url.port });
  const host = url.hostname.replace(/\.$/, "");
  const isAddress = isIP(host.replace(/^\[|\]$/g, "")) !== 0;
  if (isAddress ? !isPublicAddress(host) : localName.test(host) || !host.includes("."))
    throw notPublic(host);
  return url;
}

export function notPublic(host: string): BronError {
  return actionFailure("forbidden", { code: "host_not_public", host });
}
