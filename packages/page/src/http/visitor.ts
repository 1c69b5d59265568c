import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

const header = "x-bron-visitor";

/** An anonymous visitor, as the handler once named them. */
export interface Visitor {
  readonly id: string;
  /** What the page keeps and sends with every request. */
  readonly token: string;
}

/** The visitor of a request. A token that the handler did not sign for this site is as none. */
export function visitorOf(request: Request, secretKey: string, site: string): Visitor {
  const token = request.headers.get(header) ?? "";
  const [id = "", signature = ""] = token.split(".");
  if (/^[0-9a-f-]{36}$/.test(id) && isEqual(signature, sign(secretKey, site, id)))
    return { id, token };
  const fresh = randomUUID();
  return { id: fresh, token: `${fresh}.${sign(secretKey, site, fresh)}` };
}

export const visitorHeader = header;

function sign(secretKey: string, site: string, id: string): string {
  return createHmac("sha256", secretKey)
    .update(`bron.page.visitor\n${site}\n${id}`)
    .digest("base64url");
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
