import type {
  ActivityView,
  ApiQuery,
  AuditActor,
  AuditKind,
  AuditView,
  JsonObject,
} from "@bron/protocol";

/** `details` never contains message bodies, tokens or text from outside. */
export interface NewAudit {
  readonly what: AuditKind;
  readonly by: AuditActor;
  readonly runId?: string;
  readonly actionId?: string;
  readonly effectId?: string;
  readonly approvalId?: string;
  readonly tool?: string;
  readonly digest?: string;
  readonly details?: JsonObject;
}

/** The query of `GET /api/audit`. `before` is the oldest row of the previous page. */
type ListAudit = Readonly<Partial<ApiQuery<"GET /api/audit">>>;

/** The query of `GET /api/activity`. `before` is where the previous page ended. */
type ListActivity = Readonly<Partial<ApiQuery<"GET /api/activity">>>;

/** `next` is set if older rows may follow, also after a page with fewer rows than its limit. */
export interface ActivityPage {
  readonly activity: ActivityView[];
  readonly next: number | null;
}

/** An append-only log. The rows for an append are written by the append itself. */
export interface Audit {
  write(ownerId: string, entry: NewAudit): Promise<void>;
  /** Newest first. */
  list(ownerId: string, options: ListAudit): Promise<AuditView[]>;
  /**
   * All entries of an action together, by their newest one, newest first. A search looks through at
   * most `maxSearchedRows` rows at a time.
   */
  activity(ownerId: string, options: ListActivity): Promise<ActivityPage>;
}
