import { createHash, randomBytes } from "node:crypto";

/**
 * Pending consents and the codes they produced. Kept in memory only because both are short-lived.
 */
export interface Authorizations<Request> {
  /** Returns the id that the consent page submits. */
  readonly ask: (request: Request) => string;
  /** Returns each request only once. */
  readonly take: (requestId: string) => Request | undefined;
  readonly issueCode: (authorization: Authorization<Request>) => string;
  readonly redeem: (code: string) => Authorization<Request> | undefined;
  readonly clear: () => void;
}

interface Authorization<Request> {
  /** The account that gave consent. */
  readonly account: string;
  readonly request: Request;
}

const codeLifetimeMs = 600_000;
const maxOpen = 1_000;

export function createAuthorizations<Request>(
  now: () => Date,
  codePrefix: string,
): Authorizations<Request> {
  const requests = new Map<string, Request>();
  const codes = new Map<string, Authorization<Request> & { readonly expiresAt: number }>();
  return {
    ask: (request) => {
      const id = randomBytes(18).toString("base64url");
      requests.set(id, request);
      for (const old of requests.keys()) {
        if (requests.size <= maxOpen) break;
        requests.delete(old);
      }
      return id;
    },
    take: (requestId) => takeFrom(requests, requestId),
    issueCode: (authorization) => {
      const code = `${codePrefix}${randomBytes(32).toString("base64url")}`;
      codes.set(code, { ...authorization, expiresAt: now().getTime() + codeLifetimeMs });
      return code;
    },
    redeem: (code) => {
      const found = takeFrom(codes, code);
      return found && found.expiresAt > now().getTime() ? found : undefined;
    },
    clear: () => {
      requests.clear();
      codes.clear();
    },
  };
}

export function isVerifierOf(challenge: string, verifier: string): boolean {
  return createHash("sha256").update(verifier).digest("base64url") === challenge;
}

function takeFrom<Value>(map: Map<string, Value>, key: string): Value | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}
