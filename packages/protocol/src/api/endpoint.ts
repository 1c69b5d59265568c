import { z } from "zod";

/**
 * What a caller may do. A signed-in browser has all scopes. A token has the scopes it was created
 * with. `speak`: what it sends counts as the owner's words. Without it, a task or message of the
 * token asks for nothing and names no one.
 */
export const scopes = ["read", "run", "approve", "manage", "speak"] as const;
export type Scope = (typeof scopes)[number];
export const scopeSchema = z.enum(scopes);

/** The names of the rate limits. Their values are configured. */
const rateNames = [
  "createRun",
  "approve",
  "refusedDecision",
  "upload",
  "connect",
  "callback",
] as const;
export type RateName = (typeof rateNames)[number];

/** Requests per minute. 0 means no limit. */
interface Rate {
  readonly perUser: number;
  readonly perAddress: number;
}

export type RateSettings = Readonly<Record<RateName, Rate>>;

/** The number of streams that one owner may have open at the same time. */
export const defaultMaxStreams = 30;

/** Limits for the total size of uploads that are not attached to a run yet. */
export const defaultUploadQuota = { ownerBytes: 200 * 1024 * 1024, allBytes: 2_000 * 1024 * 1024 };

export const defaultRates: RateSettings = {
  createRun: { perUser: 30, perAddress: 60 },
  approve: { perUser: 60, perAddress: 0 },
  refusedDecision: { perUser: 60, perAddress: 0 },
  upload: { perUser: 60, perAddress: 0 },
  connect: { perUser: 5, perAddress: 0 },
  callback: { perUser: 0, perAddress: 5 },
};

/** The content type of a response that is not JSON. */
type Media =
  | "text/event-stream"
  | "application/x-ndjson"
  | "application/jsonl"
  | "application/octet-stream"
  | "application/zip"
  | "text/html"
  | "text/plain";

export interface Endpoint {
  readonly summary: string;
  readonly tag: string;
  /** `open` means that no sign-in is needed. */
  readonly scope: Scope | "open";
  /**
   * A second scope that the caller needs. Endpoints that let effects run without an approval
   * require `approve`, because otherwise a caller without that scope could turn approvals off.
   */
  readonly alsoScope?: Scope;
  readonly rate?: RateName;
  /**
   * How much of the rate limit one request uses. The default is 1. It is charged after the body is
   * read.
   */
  readonly rateCost?: (body: never) => number;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body is raw bytes, which the handler reads as a stream. */
  readonly takesBytes?: boolean;
  /** The endpoint honors `Idempotency-Key`. */
  readonly idempotent?: boolean;
  /** The status of a successful response. The default is 200. */
  readonly status?: number;
  /** Other statuses that are not errors, with their meaning. `response` is set if it differs. */
  readonly also?: Readonly<
    Record<number, { readonly summary: string; readonly response?: z.ZodType | "nothing" }>
  >;
  /** Request headers that the endpoint reads, with a description of each. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly response: z.ZodType | Media | "nothing";
}

/** Returns the table unchanged. The type parameter keeps the literal types. */
export function endpoints<
  const T extends Readonly<
    Record<`${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`, Endpoint>
  >,
>(table: T): T {
  return table;
}

/**
 * The schema of one page of a list. Pass `next` as `before` to get the next page. It is null on the
 * last page.
 */
export function pageOf<Name extends string, Item extends z.ZodType, Cursor extends z.ZodType>(
  name: Name,
  item: Item,
  cursor: Cursor,
) {
  return z.object({ [name]: z.array(item), next: cursor.nullable() } as {
    [K in Name]: z.ZodArray<Item>;
  } & { next: z.ZodNullable<Cursor> });
}

/** The first characters of a UUID, as a person copies them from a list. */
export const idPrefixSchema = z.string().regex(/^[0-9a-f][0-9a-f-]{0,35}$/);

export const limitSchema = z.coerce.number().int().min(1).max(200).default(50);
/** The query of a list of what runs have, oldest first. Pass `next` as `after` to get the next page. */
export const runItemsQuery = {
  /** Also lists those of its child runs. */
  runId: z.uuid().optional(),
  limit: limitSchema,
  after: z.uuid().optional(),
};

export const emptyBodySchema = z.strictObject({});
export const reasonSchema = z.string().max(2_000).optional();
