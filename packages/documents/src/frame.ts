import { fileFlawSchema } from "@bron/protocol";
import { z } from "zod";
import type { ParseLimits } from "./limits.ts";
import { documentKinds } from "./parsed-document.ts";
import { imageFormats } from "./parser/image/image-size.ts";
import { maxTextsPerPage } from "./limits.ts";

/**
 * Messages from the parser process, one JSON frame each. The process has read a hostile file, so
 * every frame is validated.
 */
export const frameSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("kind"),
    kind: z.enum(documentKinds),
    pageCount: z.number().int().nonnegative().optional(),
  }),
  z.object({
    type: z.literal("progress"),
    done: z.number().int().nonnegative(),
    total: z.number().int().nonnegative().optional(),
  }),
  z.object({ type: z.literal("memory"), rssBytes: z.number().int().nonnegative() }),
  z.object({ type: z.literal("page"), number: z.number().int().positive(), text: z.string() }),
  z.object({
    type: z.literal("rows"),
    table: z.string().max(1_000),
    rows: z.array(z.array(z.string())),
  }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("warning"), message: z.string().max(2_000) }),
  /** The following frames are about this attachment until it is closed. */
  z.object({
    type: z.literal("open"),
    name: z.string().max(1_000),
    mediaType: z.string().max(1_000),
    byteCount: z.number().int().nonnegative(),
  }),
  z.object({
    type: z.literal("close"),
    problem: z.union([z.string().max(2_000), fileFlawSchema]).optional(),
  }),
  z.object({
    type: z.literal("language"),
    code: z.string().regex(/^[a-z]{2}$/),
    confidence: z.number().min(0).max(1),
  }),
  z.object({
    type: z.literal("layout"),
    number: z.number().int().positive(),
    width: z.number().positive(),
    height: z.number().positive(),
    texts: z
      .array(
        z.object({
          x: z.number(),
          y: z.number(),
          size: z.number(),
          width: z.number(),
          text: z.string(),
        }),
      )
      .max(maxTextsPerPage),
  }),
  z.object({ type: z.literal("head"), name: z.string().max(100), value: z.string() }),
  z.object({
    type: z.literal("image"),
    format: z.enum(imageFormats),
    width: z.number().int().positive(),
    height: z.number().int().positive(),
  }),
  z.object({ type: z.literal("cut") }),
  z.object({ type: z.literal("stopped"), why: z.enum(["memory", "stall", "hard"]) }),
  z.object({ type: z.literal("failed"), flaw: fileFlawSchema }),
  z.object({ type: z.literal("end") }),
]);

export type Frame = z.infer<typeof frameSchema>;

/** The limit that stopped the parser before the end of the document. */
export type StopReason = Extract<Frame, { type: "stopped" }>["why"];

/** Sent to the parser before the bytes. */
export interface ParseRequest {
  readonly name?: string;
  readonly mediaType?: string;
  readonly limits: ParseLimits;
  /** Reads only the beginning, for people: where texts are on a page, and no text in images. */
  readonly isPreview?: boolean;
}
