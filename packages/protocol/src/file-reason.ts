import { z } from "zod";
import {
  describeFileContent,
  describeFlaw,
  describeFormats,
  fileContents,
  fileFlawSchema,
} from "./document-failure.ts";
import { formatBytes } from "./format-bytes.ts";

/**
 * Why a file was not accepted.
 *
 * - `file_type_unsupported`: `supported` has the types that are.
 * - `file_type_differs`: its content is not of the declared type.
 * - `upload_pending`: its content has not arrived. `upload_done`: it has arrived already.
 * - `upload_cut_off`: the content ended too early. `upload_longer`: it did not end in time.
 * - `uploads_busy`: too many files are being received now.
 * - `quota_used`: the owner has too many files without a task. `quota_used_by_all`: the server has.
 */
export const fileReasonSchemas = [
  z.object({
    code: z.literal("file_type_unsupported"),
    contentType: z.string(),
    supported: z.array(z.enum(fileContents)).readonly().optional(),
  }),
  z.object({
    code: z.literal("file_type_differs"),
    contentType: z.string(),
    content: z.enum(fileContents),
  }),
  z.object({ code: z.literal("file_unreadable"), contentType: z.string(), flaw: fileFlawSchema }),
  z.object({
    code: z.literal("upload_too_large"),
    filename: z.string(),
    limitBytes: z.number(),
  }),
  z.object({ code: z.literal("upload_longer"), sizeBytes: z.number() }),
  z.object({ code: z.literal("upload_cut_off"), sizeBytes: z.number() }),
  z.object({ code: z.literal("upload_encoded") }),
  z.object({ code: z.literal("upload_missing"), uploadId: z.string() }),
  z.object({ code: z.literal("upload_pending") }),
  z.object({ code: z.literal("upload_done") }),
  z.object({ code: z.literal("upload_attached"), filename: z.string() }),
  z.object({ code: z.literal("upload_token_invalid") }),
  z.object({ code: z.literal("upload_token_expired") }),
  z.object({ code: z.literal("uploads_busy") }),
  z.object({ code: z.literal("attached_too_late") }),
  z.object({ code: z.literal("quota_used"), usedBytes: z.number(), limitBytes: z.number() }),
  z.object({ code: z.literal("quota_used_by_all") }),
] as const;
export type FileReason = Readonly<z.infer<(typeof fileReasonSchemas)[number]>>;

/** A sentence for each reason. */
type FileWords = {
  readonly [K in FileReason["code"]]: (why: Extract<FileReason, { code: K }>) => string;
};

export const fileWords: FileWords = {
  file_type_unsupported: ({ contentType, supported }) =>
    `Files of type ${contentType} aren't supported.${supported === undefined ? "" : ` Supported types: ${describeFormats(supported)}.`}`,
  file_type_differs: ({ contentType, content }) =>
    `The declared type is ${contentType}, but the file is ${describeFileContent(content)}.`,
  file_unreadable: ({ contentType, flaw }) =>
    `The declared type is ${contentType}. ${describeFlaw(flaw)}`,
  upload_too_large: ({ filename, limitBytes }) =>
    `${filename} is too large. The limit is ${formatBytes(limitBytes)}.`,
  upload_longer: ({ sizeBytes }) =>
    `The file is larger than its declared ${formatBytes(sizeBytes)}.`,
  upload_cut_off: ({ sizeBytes }) =>
    `The upload ended before all of its ${formatBytes(sizeBytes)} arrived.`,
  upload_encoded: () => "The upload must not use a content encoding.",
  upload_missing: ({ uploadId }) => `Upload ${uploadId} not found, or its file is missing.`,
  upload_pending: () => "This file hasn't been uploaded yet.",
  upload_done: () => "This file was already uploaded.",
  upload_attached: ({ filename }) => `${filename} is already attached to another task.`,
  upload_token_invalid: () => "Invalid upload token.",
  upload_token_expired: () => "This upload token has expired. Start the upload again.",
  uploads_busy: () => "Too many uploads at the same time. Try again in a moment.",
  attached_too_late: () => "This task has ended. Start a new one to attach files.",
  quota_used: ({ usedBytes, limitBytes }) =>
    `Your unattached files use ${formatBytes(usedBytes)}. This file would exceed the limit of ${formatBytes(limitBytes)}.`,
  quota_used_by_all: () => "There is no room left for unattached files on this server.",
};
