import { z } from "zod";
import type { SendMessageInput, SubmitToolResultsInput } from "../wire.ts";
import { refuse, type Refusal } from "./refusal.ts";

const maxBodyBytes = 2_500_000;
const maxMessageCharacters = 8_000;
const maxTools = 200;
const maxPageCharacters = 100_000;
const maxResultCharacters = 100_000;

const toolSchema = z.object({
  // Names of actions begin with action_. A page cannot pretend to be one.
  name: z.string().regex(/^(?!action_)[A-Za-z0-9_.-]{1,64}$/),
  description: z.string().max(2_000),
  inputSchema: z.looseObject({
    type: z.literal("object"),
    properties: z.record(z.string(), z.json()),
  }),
  category: z.literal("page-automation"),
});

const pageSchema = z.object({
  url: z.string().max(2_000),
  title: z.string().max(500),
  kind: z.enum(["full", "diff"]),
  content: z.json(),
  cuts: z.array(z.string().max(500)).max(50).optional(),
});

const shared = {
  history: z
    .array(
      z.object({
        id: z.string().max(100),
        role: z.enum(["user", "assistant", "system"]),
        content: z.string().max(20_000),
        timestamp: z.string().max(40),
      }),
    )
    .max(200),
  toolDefinitions: z
    .array(toolSchema)
    .max(maxTools)
    .refine((tools) => new Set(tools.map(({ name }) => name)).size === tools.length, {
      message: "Each tool needs a name of its own.",
    }),
  pageState: pageSchema.refine(
    ({ content }) => JSON.stringify(content).length <= maxPageCharacters,
    { message: `The page is longer than ${maxPageCharacters} characters.` },
  ),
};

const messageSchema = z.object({
  ...shared,
  message: z.string().trim().min(1).max(maxMessageCharacters),
  state: z.string().optional(),
});

const resultsSchema = z.object({
  ...shared,
  results: z
    .array(
      z.object({
        callId: z.string().max(100),
        result: z.string().max(maxResultCharacters),
        isError: z.boolean().optional(),
      }),
    )
    .max(50),
  state: z.string(),
});

/** The text of a body, or a refusal once it is longer than a request may be. */
async function readBody(request: Request): Promise<string | Refusal> {
  const reader = request.body?.getReader();
  if (!reader) return "";
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.length;
    if (bytes > maxBodyBytes) {
      await reader.cancel();
      return refuse("too_large");
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString("utf8");
}

async function readAs<T>(request: Request, schema: z.ZodType<T>): Promise<T | Refusal> {
  const text = await readBody(request);
  if (typeof text !== "string") return text;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return refuse("invalid_request", { message: "The body is not JSON." });
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = issue?.path.join(".") ?? "";
  return refuse("invalid_request", {
    message: `${path === "" ? "The body" : path}: ${issue?.message ?? ""}`,
  });
}

export async function readMessage(request: Request): Promise<SendMessageInput | Refusal> {
  return (await readAs(request, messageSchema)) as SendMessageInput | Refusal;
}

export async function readResults(request: Request): Promise<SubmitToolResultsInput | Refusal> {
  return (await readAs(request, resultsSchema)) as SubmitToolResultsInput | Refusal;
}
