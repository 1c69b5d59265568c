/** What the page knows of a file before its preview. */
export interface PreviewedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly digest: string;
  readonly sizeBytes: number;
}
