/** Created on first read. The bytes are deterministic. */
export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  /** The approximate size, used by searches. */
  readonly bytes: number;
  readonly make: () => Promise<Uint8Array> | Uint8Array;
}
