import { z } from "zod";
import { endpoints } from "./endpoint.ts";

/** A file name must not contain control characters or path separators. */
const filename = z
  .string()
  .min(1)
  .max(255)
  .refine(
    (name) => !/[\p{Cc}/\\]/u.test(name) && name !== "." && name !== "..",
    "must be a file name without folders",
  );

const uploadViewSchema = z.object({
  id: z.uuid(),
  runId: z.uuid().nullable(),
  filename: z.string(),
  contentType: z.string(),
  sizeBytes: z.number().int(),
  /** Null until the content is uploaded. */
  digest: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type UploadView = Readonly<z.infer<typeof uploadViewSchema>>;

const newUploadSchema = z.strictObject({
  filename,
  contentType: z.string().regex(/^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,100}$/i),
  sizeBytes: z.number().int().min(1),
});

export const uploadsApi = endpoints({
  "POST /api/uploads/token": {
    summary: "Create an upload. Returns a one-time URL.",
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
    summary: "Upload the content.",
    tag: "Uploads",
    scope: "open",
    takesBytes: true,
    query: z.object({ token: z.string().max(1_000) }),
    response: uploadViewSchema,
  },
  "POST /api/uploads/complete": {
    summary: "Complete an upload and attach it to a run.",
    tag: "Uploads",
    scope: "run",
    body: z.strictObject({ uploadId: z.uuid(), runId: z.uuid().optional() }),
    response: uploadViewSchema,
  },
  "GET /api/uploads/:id": {
    summary: "Get an upload.",
    tag: "Uploads",
    scope: "read",
    response: uploadViewSchema,
  },
});
