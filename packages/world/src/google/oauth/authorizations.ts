import { createHash, randomBytes } from "node:crypto";
import type { AuthorizeRequest } from "./authorize-request.ts";

/** A consent under way, then the code that it gave. In memory only: neither lives for long. */
export interface Authorizations {
  /** Returns the id that the page carries. */
  readonly ask: (request: AuthorizeRequest) => string;
  /** Gives each request once. */
  readonly take: (requestId: string) => AuthorizeRequest | undefined;
  readonly issueCode: (authorization: Authorization) => string;
  readonly redeem: (code: string) => Authorization | undefined;
  readonly clear: () => void;
}

export interface Authorization {
  readonly account: string;
  readonly request: AuthorizeRequest;
}

const codeLifetimeMs = 600_000;
const maxOpen = 1_000;

export function createAuthorizations(now: () => Date): Authorizations {
  const requests = new Map<string, AuthorizeRequest>();
  const codes = new Map<string, Authorization & { readonly expiresAt: number }>();
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
      const code = `4/0A${randomBytes(32).toString("base64url")}`;
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
