import { badRequest, gmailError, insufficientScope, unauthenticated } from "../api-error.ts";
import type { AccessToken } from "../state/grants.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import { accountMethods } from "./account-methods.ts";
import { draftMethods } from "./draft-methods.ts";
import type { GmailMethod } from "./gmail-method.ts";
import { messageMethods } from "./message-methods.ts";
import { threadMethods } from "./thread-methods.ts";

export interface GmailRoute {
  readonly method: GmailMethod;
  readonly params: Readonly<Record<string, string>>;
}

const methods = [...messageMethods, ...threadMethods, ...draftMethods, ...accountMethods].map(
  (method) => ({
    method,
    pattern: new RegExp(
      `^/gmail/v1/users/(?<userId>[^/]+)${method.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`,
    ),
  }),
);

export function routeGmail(verb: string, path: string): GmailRoute | undefined {
  for (const { method, pattern } of methods) {
    const found = method.verb === verb ? pattern.exec(path) : null;
    if (found)
      return {
        method,
        params: Object.fromEntries(
          Object.entries(found.groups ?? {}).map(([name, value]) => [name, decode(value)]),
        ),
      };
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface GmailRequest {
  readonly token: AccessToken | undefined;
  readonly senderName: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly now: Date;
  readonly call: number;
}

/** Query parameters that every method accepts. */
const standardQuery = new Set(["access_token", "alt", "prettyPrint", "fields", "quotaUser", "key"]);

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
  const unknown = [...query.keys()].find(
    (name) => !standardQuery.has(name) && !method.query?.includes(name),
  );
  if (unknown !== undefined)
    throw badRequest(
      `Invalid JSON payload received. Unknown name "${unknown}": Cannot bind query parameter. Field '${unknown}' could not be found in request message.`,
    );
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
