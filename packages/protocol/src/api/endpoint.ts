import { z } from "zod";

/** What a caller may do. A person at the page may do all of it, a token only what it was made for. */
export const scopes = ["read", "run", "approve", "manage"] as const;
export type Scope = (typeof scopes)[number];
export const scopeSchema = z.enum(scopes);

/** Named rates; how much each allows is configured. */
export const rateNames = [
  "createRun",
  "approve",
  "refusedDecision",
  "upload",
  "connect",
  "callback",
] as const;
export type RateName = (typeof rateNames)[number];

/** In a minute; 0 for no limit. */
export interface Rate {
  readonly perUser: number;
  readonly perAddress: number;
}

export type RateSettings = Readonly<Record<RateName, Rate>>;

/** Open streams of one owner at once. */
export const defaultMaxStreams = 30;

/** Bytes of files that are attached to no run yet. */
export const defaultUploadQuota = { ownerBytes: 200 * 1024 * 1024, allBytes: 2_000 * 1024 * 1024 };

export const defaultRates: RateSettings = {
  createRun: { perUser: 30, perAddress: 60 },
  approve: { perUser: 60, perAddress: 0 },
  refusedDecision: { perUser: 60, perAddress: 0 },
  upload: { perUser: 60, perAddress: 0 },
  connect: { perUser: 5, perAddress: 0 },
  callback: { perUser: 0, perAddress: 5 },
};

/** What an answer is if it is not JSON. */
export type Media =
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
  /** `open`: whoever reaches the machine. */
  readonly scope: Scope | "open";
  /** What lets effects through unasked needs this one too: whoever may not approve may not see to it that nobody is asked. */
  readonly alsoScope?: Scope;
  readonly rate?: RateName;
  /** How many turns of its rate a request takes; 1 unless set. They are taken once the body has been read. */
  readonly turns?: (body: never) => number;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body is bytes, which are read as they come. */
  readonly takesBytes?: boolean;
  /** `Idempotency-Key` is understood. */
  readonly idempotent?: boolean;
  /** Of the ordinary success: 200 unless it says otherwise. */
  readonly status?: number;
  /** Other statuses that are no problem: what they mean and, if it is another one, their answer. */
  readonly also?: Readonly<
    Record<number, { readonly summary: string; readonly response?: z.ZodType | "nothing" }>
  >;
  /** Request headers that it understands, with what they are for. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly response: z.ZodType | Media | "nothing";
}

/** Keeps the exact types of what it is given. */
export function endpoints<
  const T extends Readonly<
    Record<`${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`, Endpoint>
  >,
>(table: T): T {
  return table;
}

/** Lists are read in pages: `next` is what to give as `before` for the one after this, null at the end. */
export function pageOf<Name extends string, Item extends z.ZodType, Cursor extends z.ZodType>(
  name: Name,
  item: Item,
  cursor: Cursor,
) {
  return z.object({ [name]: z.array(item), next: cursor.nullable() } as {
    [K in Name]: z.ZodArray<Item>;
  } & { next: z.ZodNullable<Cursor> });
}

/** The beginning of a UUID, as a person copies it from a list. */
export const idPrefixSchema = z.string().regex(/^[0-9a-f][0-9a-f-]{0,35}$/);

export const limitSchema = z.coerce.number().int().min(1).max(200).default(50);
export const nothingSchema = z.strictObject({});
export const reasonSchema = z.string().max(2_000).optional();
