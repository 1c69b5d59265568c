import { BronError } from "@bron/core";
import { isIP } from "node:net";
import { isPublicAddress } from "./allowed-address.ts";

const maxCharacters = 2_000;
/** Names that are never on the internet, whatever a resolver says of them. */
const localName =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|lan|home|corp|home\.arpa|onion)$/i;

export interface UrlRules {
  /** For tests and the demo: hosts with their port that may be asked although they are not on the internet. */
  readonly alsoAllow?: ReadonlySet<string>;
}

/** An address of a page on the public internet. Throws invalid_arguments or forbidden, in words that say why. */
export function checkUrl(text: string, { alsoAllow }: UrlRules = {}): URL {
  const url = text.length > maxCharacters ? null : URL.parse(text);
  if (!url)
    throw new BronError(
      "invalid_arguments",
      `${JSON.stringify(text.slice(0, 200))} is not an address such as https://example.com/page.`,
    );
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new BronError("forbidden", `Only http and https are fetched, not ${url.protocol}`);
  if (url.username !== "" || url.password !== "")
    throw new BronError(
      "forbidden",
      "An address with a user name or password in it is not fetched.",
    );
  if (alsoAllow?.has(url.host)) return url;
  if (url.port !== "")
    throw new BronError(
      "forbidden",
      `Only the usual ports of http and https are fetched, not ${url.port}.`,
    );
  const host = url.hostname.replace(/\.$/, "");
  const isAddress = isIP(host.replace(/^\[|\]$/g, "")) !== 0;
  if (isAddress ? !isPublicAddress(host) : localName.test(host) || !host.includes("."))
    throw notPublic(host);
  return url;
}

export function notPublic(host: string): BronError {
  return new BronError(
    "forbidden",
    `${host} is not on the public internet: Bron does not ask this machine or its network.`,
  );
}
