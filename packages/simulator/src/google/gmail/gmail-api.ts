import { badRequest, gmailError, insufficientScope, unauthenticated } from "../api-error.ts";
import { createRouter, requireKnownQuery, type MethodRoute } from "../method-routes.ts";
import type { AccessToken } from "../state/grants.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import { accountMethods } from "./account-methods.ts";
import { draftMethods } from "./draft-methods.ts";
import type { GmailMethod } from "./gmail-method.ts";
import { messageMethods } from "./message-methods.ts";
import { threadMethods } from "./thread-methods.ts";

type GmailRoute = MethodRoute<GmailMethod>;

export const routeGmail = createRouter("/gmail/v1/users/(?<userId>[^/]+)", [
  ...messageMethods,
  ...threadMethods,
  ...draftMethods,
  ...accountMethods,
]);

interface GmailRequest {
  readonly token: AccessToken | undefined;
  readonly senderName: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly now: Date;
  readonly call: number;
}

export async function serveGmail(
  state: SimulatorState,
  { method, params }: GmailRoute,
  request: GmailRequest,
): Promise<unknown> {
  const { token, query, now } = request;
  if (!token || token.expiresAt <= now.getTime()) throw unauthenticated();
  if (!token.scopes.some((scope) => method.scopes.includes(scope)))
    throw insufficientScope(method.name, method.scopes);
  const mailbox = state.mailbox(token.grant.account);
  if (!mailbox) throw unauthenticated();
  const userId = params.userId ?? "";
  if (userId !== "me" && userId.toLowerCase() !== mailbox.address)
    throw gmailError(403, `Delegation denied for ${mailbox.address}`, { reason: "forbidden" });
  requireKnownQuery(query, method.query);
  return method.serve({
    state,
    mailbox,
    senderName: request.senderName,
    params,
    query,
    body: parseJson(request.body),
    scopes: token.scopes,
    now,
    call: request.call,
  });
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw badRequest("Invalid JSON payload received. Parse error.");
  }
}
