import type { ServiceResponse, ServiceRequest } from "../google/simulated-service.ts";
import type { SimulatorState } from "../google/state/simulator-state.ts";
import { chatMethods } from "./methods/chat-methods.ts";
import { conversationMethods } from "./methods/conversation-methods.ts";
import { historyMethods } from "./methods/history-methods.ts";
import { peopleMethods } from "./methods/people-methods.ts";
import { readArguments } from "./slack-arguments.ts";
import { missingScope, SlackError } from "./slack-error.ts";
import type { SlackMethod } from "./slack-method.ts";
import type { SlackToken } from "./state/slack-tokens.ts";
import type { SlackUser } from "./state/workspace.ts";

const methods: ReadonlyMap<string, SlackMethod> = new Map(
  [...peopleMethods, ...conversationMethods, ...historyMethods, ...chatMethods].map((method) => [
    method.name,
    method,
  ]),
);

export const findSlackMethod = (name: string) => methods.get(name);

/** One call of the Web API. Throws SlackError. */
export async function serveSlackApi(
  state: SimulatorState,
  method: SlackMethod,
  request: ServiceRequest,
): Promise<ServiceResponse> {
  const args = await readArguments(request);
  const secret = bearer(request.headers) ?? args.get("token") ?? "";
  const { token, me } = identify(state, secret, request.now);
  const headers = {
    "x-oauth-scopes": token.scopes.join(","),
    "x-accepted-oauth-scopes": method.scopes.join(","),
  };
  try {
    if (method.scopes.length > 0 && !method.scopes.some((scope) => token.scopes.includes(scope)))
      throw missingScope(method.scopes, token.scopes);
    const workspace = state.workspace();
    return slackJson(
      200,
      {
        ok: true,
        ...method.serve({
          state,
          workspace,
          args,
          secret,
          token,
          me,
          now: request.now,
          call: request.call,
        }),
      },
      headers,
    );
  } catch (error) {
    if (error instanceof SlackError)
      return slackJson(error.status, error.body, { ...headers, ...error.headers });
    throw error;
  }
}

function identify(
  state: SimulatorState,
  secret: string,
  now: Date,
): { readonly token: SlackToken; readonly me: SlackUser } {
  if (secret === "") throw new SlackError("not_authed");
  const workspace = state.workspace();
  const token = workspace.tokens.find(secret);
  const me = token && workspace.user(token.userId);
  if (!token || !me) throw new SlackError("invalid_auth");
  if (token.isRevoked) throw new SlackError("token_revoked");
  if (token.renewal && token.renewal.expiresAt <= now.getTime())
    throw new SlackError("token_expired");
  if (me.isDeleted) throw new SlackError("account_inactive");
  return { token, me };
}

export function bearer(headers: ServiceRequest["headers"]): string | undefined {
  const { authorization } = headers;
  return typeof authorization === "string" ? /^Bearer (\S+)$/i.exec(authorization)?.[1] : undefined;
}

export function slackJson(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): ServiceResponse {
  return {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "private, no-cache, no-store, must-revalidate",
      ...headers,
    },
    body: JSON.stringify(value),
  };
}
