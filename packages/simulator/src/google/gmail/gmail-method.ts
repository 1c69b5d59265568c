import { omitUndefined } from "@bron/protocol";
import { z } from "zod";
import { badRequest, notFound } from "../api-error.ts";
import type { Mailbox, StoredMessage } from "../state/mailbox.ts";
import type { SimulatorState } from "../state/simulator-state.ts";

export interface GmailCall {
  readonly state: SimulatorState;
  readonly mailbox: Mailbox;
  readonly senderName: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly scopes: readonly string[];
  readonly now: Date;
  /** The number of the call in the record. */
  readonly call: number;
}

export interface GmailMethod {
  readonly name: string;
  readonly verb: "GET" | "POST" | "PUT" | "DELETE";
  /** The path after /gmail/v1/users/{userId}. */
  readonly path: string;
  /** Any one of these scopes is enough. */
  readonly scopes: readonly string[];
  readonly query?: readonly string[];
  /** May throw ApiError. Without a return value the response is 204. */
  readonly serve: (call: GmailCall) => unknown;
}

const messageBody = z.object({ raw: z.string().optional(), threadId: z.string().optional() });
export const draftBody = z.object({ id: z.string().optional(), message: messageBody.optional() });
export const labelsBody = z.object({
  addLabelIds: z.array(z.string()).optional(),
  removeLabelIds: z.array(z.string()).optional(),
});

export function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badRequest(
    `Invalid JSON payload received. Invalid value at '${issue?.path.join(".") ?? ""}'`,
  );
}

export function readMessage(body: unknown): { readonly raw: Buffer; readonly threadId?: string } {
  const { raw, threadId } = readBody(messageBody, body);
  if (raw === undefined || raw === "")
    throw badRequest(
      "'raw' RFC822 payload message string or uploading message via /upload/* URL required",
    );
  if (!/^[\w+/-]*={0,2}$/.test(raw))
    throw badRequest(
      `Invalid value at 'message.raw' (TYPE_BYTES), Base64 decoding failed for "${raw.slice(0, 40)}"`,
    );
  return {
    raw: Buffer.from(raw, "base64url"),
    ...omitUndefined({ threadId: threadId === "" ? undefined : threadId }),
  };
}

export function findMessage({ mailbox }: GmailCall, id: string | undefined): StoredMessage {
  if (id === undefined || !/^[0-9a-f]{1,16}$/i.test(id)) throw badRequest("Invalid id value");
  const message = mailbox.message(id.toLowerCase());
  if (!message) throw notFound();
  return message;
}
