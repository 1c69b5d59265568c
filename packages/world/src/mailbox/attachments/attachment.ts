/** Made when somebody reads it, the same every time. */
export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  /** About how many there will be; searches by size go by it. */
  readonly bytes: number;
  readonly make: () => Promise<Uint8Array> | Uint8Array;
}
