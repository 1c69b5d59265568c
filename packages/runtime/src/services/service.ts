import { BronError, cleanText, requestError } from "@bron/core";
import type {
  ApiBody,
  ApiKey,
  ApiParams,
  ApiQuery,
  ApiResponse,
  MeView,
  Scope,
} from "@bron/protocol";

/** Who calls a service. The door has authenticated them. */
export interface ServiceCaller extends MeView {
  /** Set for a browser. */
  readonly sessionId?: string;
  /** Set for an API token. */
  readonly tokenId?: string;
  readonly tokenName?: string;
  /** Whether a run may have higher caps than configured. Only for the owner of the machine. */
  readonly mayRaiseCaps?: boolean;
}

/** A validated request to one endpoint, whatever door it came through. */
export interface ServiceRequest<K extends ApiKey> {
  readonly caller: ServiceCaller;
  readonly params: ApiParams<K>;
  readonly query: ApiQuery<K>;
  readonly body: ApiBody<K>;
  readonly idempotencyKey: string | undefined;
}

/** A response that created something, or found what the same request had created before. */
export class Created<T> {
  readonly body: T;
  /** The path of what was created. */
  readonly location: string;
  /** False if an earlier request with the same idempotency key created it. */
  readonly isNew: boolean;

  constructor(body: T, location: string, isNew = true) {
    this.body = body;
    this.location = location;
    this.isNew = isNew;
  }
}

type Service<K extends ApiKey> = (
  request: ServiceRequest<K>,
) => Promise<ApiResponse<K> | Created<ApiResponse<K>>>;

/** Services by their endpoint. */
export type ServicesOf<K extends ApiKey> = { readonly [Key in K]: Service<Key> };

export function requireScope(scope: Scope, caller: Pick<MeView, "scopes"> | undefined): void {
  if (!caller) throw new BronError("unauthenticated", "Sign in first.");
  if (!caller.scopes.includes(scope))
    throw requestError("forbidden", { code: "scope_needed", scope });
}

/**
 * The program whose words a request contains, if they are not the owner's: the name of its token.
 * Undefined for a caller that speaks for the owner.
 */
export function programOf({
  scopes,
  tokenName = "API",
}: Pick<ServiceCaller, "scopes" | "tokenName">): string | undefined {
  return scopes.includes("speak") ? undefined : cleanText(tokenName);
}

/** The cursor of the next page: the last ID if the page is full. */
export function nextOf<T extends { readonly id: string | number }>(
  items: readonly T[],
  limit: number,
): T["id"] | null {
  return items.length === limit ? (items.at(-1)?.id ?? null) : null;
}
