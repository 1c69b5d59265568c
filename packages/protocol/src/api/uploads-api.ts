import { z } from "zod";
import { endpoints } from "./endpoint.ts";

/** Control characters and what separates folders are in no file's name. */
const filename = z
  .string()
  .min(1)
  .max(255)
  .refine(
    (name) => !/[\p{Cc}/\\]/u.test(name) && name !== "." && name !== "..",
    "must be a file's name, without folders",
  );

export const uploadViewSchema = z.object({
  id: z.uuid(),
  runId: z.uuid().nullable(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number().int(),
  /** Null until the bytes are here. */
  digest: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type UploadView = Readonly<z.infer<typeof uploadViewSchema>>;

export const newUploadSchema = z.strictObject({
  filename,
  contentType: z.string().regex(/^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}$/i),
  sizeBytes: z.number().int().min(1),
});
export type NewUpload = z.input<typeof newUploadSchema>;

export const uploadsApi = endpoints({
  "POST /api/uploads/token": {
    summary: "Announce a file; the answer says where to put its bytes, once and soon.",
    tag: "Uploads",
    scope: "run",
    rate: "upload",
    body: newUploadSchema,
    status: 201,
    response: z.object({
      upload: uploadViewSchema,
      token: z.string(),
      url: z.string(),
      expiresAt: z.iso.datetime(),
    }),
  },
  "PUT /api/uploads/:id": {
    summary: "The bytes, with the token that was given for them.",
    tag: "Uploads",
    scope: "open",
    takesBytes: true,
    query: z.object({ token: z.string().max(1_000) }),
    response: uploadViewSchema,
  },
  "POST /api/uploads/complete": {
    summary: "That the bytes are there, and which run they are for.",
    tag: "Uploads",
    scope: "run",
    body: z.strictObject({ uploadId: z.uuid(), runId: z.uuid().optional() }),
    response: uploadViewSchema,
  },
  "GET /api/uploads/:id": {
    summary: "One upload.",
    tag: "Uploads",
    scope: "read",
    response: uploadViewSchema,
  },
});
