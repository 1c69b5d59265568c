import { createHash, randomBytes } from "node:crypto";

/** A consent under way, then the code that it gave. In memory only: neither lives for long. */
export interface Authorizations<Request> {
  /** Returns the id that the page carries. */
  readonly ask: (request: Request) => string;
  /** Gives each request once. */
  readonly take: (requestId: string) => Request | undefined;
  readonly issueCode: (authorization: Authorization<Request>) => string;
  readonly redeem: (code: string) => Authorization<Request> | undefined;
  readonly clear: () => void;
}

export interface Authorization<Request> {
  /** Who allowed it. */
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
