import { z } from "zod";

/** A text at its place on a page. All lengths are in points, from the top left. */
const placedTextSchema = z.object({
  x: z.number(),
  y: z.number(),
  /** The height of its letters. */
  size: z.number(),
  width: z.number(),
  text: z.string(),
});
export type PlacedText = Readonly<z.infer<typeof placedTextSchema>>;

const previewPageSchema = z.object({
  number: z.number().int().positive(),
  width: z.number().positive(),
  height: z.number().positive(),
  texts: z.array(placedTextSchema),
});

/** Only formats that a browser decodes without running anything. Never SVG. */
const previewImageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** Why a file has no preview. */
const noPreviewReasons = ["unsupported", "too_large", "locked", "damaged", "failed"] as const;
export type NoPreviewReason = (typeof noPreviewReasons)[number];

/**
 * The beginning of a file as data. Its content is untrusted text, which a page must never interpret
 * as markup. `isCut` says that the file contains more.
 */
export const filePreviewSchema = z.discriminatedUnion("kind", [
  /** The texts of the first pages, without pictures and lines. */
  z.object({
    kind: z.literal("pages"),
    pageCount: z.number().int().nonnegative(),
    pages: z.array(previewPageSchema),
    isCut: z.boolean(),
  }),
  /** The parser has verified the type and the size. The bytes are those of the artifact. */
  z.object({
    kind: z.literal("image"),
    mediaType: z.enum(previewImageTypes),
    width: z.number().int().positive(),
    height: z.number().int().positive(),
  }),
  z.object({
    kind: z.literal("tables"),
    tables: z.array(z.object({ name: z.string(), rows: z.array(z.array(z.string())) })),
    isCut: z.boolean(),
  }),
  z.object({
    kind: z.literal("mail"),
    head: z.array(z.object({ name: z.string(), value: z.string() })),
    text: z.string(),
    /** What is unusual about the sender. */
    warnings: z.array(z.string()),
    attachments: z.array(z.object({ name: z.string(), sizeBytes: z.number().int() })),
    isCut: z.boolean(),
  }),
  z.object({ kind: z.literal("text"), text: z.string(), isCut: z.boolean() }),
  z.object({ kind: z.literal("none"), reason: z.enum(noPreviewReasons) }),
]);
export type FilePreview = Readonly<z.infer<typeof filePreviewSchema>>;
export type FilePreviewOf<K extends FilePreview["kind"]> = Extract<FilePreview, { kind: K }>;
