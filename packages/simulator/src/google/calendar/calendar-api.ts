import { insufficientScope, unauthenticated } from "../api-error.ts";
import { createRouter, requireKnownQuery, type MethodRoute } from "../method-routes.ts";
import type { AccessToken } from "../state/grants.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import { accountMethods } from "./account-methods.ts";
import { calendarError } from "./calendar-error.ts";
import type { CalendarMethod } from "./calendar-method.ts";
import { eventMethods } from "./event-methods.ts";

type CalendarRoute = MethodRoute<CalendarMethod>;

export const routeCalendar = createRouter("/calendar/v3", [...eventMethods, ...accountMethods]);

interface CalendarRequest {
  readonly token: AccessToken | undefined;
  readonly accountName: string;
  readonly query: URLSearchParams;
  readonly ifMatch: string | undefined;
  readonly body: Buffer;
  readonly now: Date;
  readonly call: number;
}

/** Query parameters that every method of Calendar accepts besides the standard ones. */
const calendarQuery = ["oauth_token", "userIp"];

export function serveCalendar(
  state: SimulatorState,
  { method, params }: CalendarRoute,
  request: CalendarRequest,
): unknown {
  const { token, query, ifMatch, now, call } = request;
  if (!token || token.expiresAt <= now.getTime()) throw unauthenticated();
  if (!token.scopes.some((scope) => method.scopes.includes(scope)))
    throw insufficientScope(method.name, method.scopes, "calendar-json.googleapis.com");
  requireKnownQuery(query, [...calendarQuery, ...(method.query ?? [])]);
  return method.serve({
    state,
    account: { address: token.grant.account, name: request.accountName },
    params,
    query,
    ifMatch,
    body: parseJson(request.body),
    now,
    call,
  });
}

function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    throw calendarError(400, "Parse Error", { reason: "parseError" });
  }
}
