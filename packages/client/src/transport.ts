import type {
  ApiKey,
  ApiResponse,
  AuditFilter,
  AuditView,
  EventView,
  UploadView,
} from "@bron/protocol";
import type { CallArguments } from "./connection.ts";
import type { Change, SubscribeChangesOptions } from "./subscribe-to-changes.ts";
import type { SubscribeOptions } from "./subscribe-to-events.ts";

interface FileToUpload {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Blob;
}

interface AuditOptions {
  readonly runId?: string;
  readonly what?: AuditFilter;
}

/** How a client reaches Bron: over HTTP, or directly in the same process. */
export interface Transport {
  /** Calls an endpoint by its key in the API table. */
  call<K extends ApiKey>(key: K, ...options: CallArguments<K>): Promise<ApiResponse<K>>;
  /** Yields the log of a run and then live events. */
  events(runId: string, options?: SubscribeOptions): AsyncGenerator<EventView, void>;
  /** Yields changes of all runs, for lists. */
  changes(options: SubscribeChangesOptions): AsyncGenerator<Change, void>;
  /** Streams the complete audit log, newest first. */
  auditRows(options: AuditOptions): AsyncGenerator<AuditView, void>;
  upload(file: FileToUpload): Promise<UploadView>;
  readArtifact(digest: string): Promise<Uint8Array>;
  /** Streams the zip of a thread. If it throws, what it has yielded is not a complete zip. */
  exportThread(threadId: string): AsyncGenerator<Uint8Array, void>;
}
