import { badRequest, unauthenticated } from "../api-error.ts";
import type { AccessToken } from "../state/grants.ts";
import type { SimulatorState } from "../state/simulator-state.ts";
import { accountMethods } from "./account-methods.ts";
import { calendarError, insufficientCalendarScope } from "./calendar-error.ts";
import type { CalendarMethod } from "./calendar-method.ts";
import { eventMethods } from "./event-methods.ts";

export interface CalendarRoute {
  readonly method: CalendarMethod;
  readonly params: Readonly<Record<string, string>>;
}

const methods = [...eventMethods, ...accountMethods].map((method) => ({
  method,
  pattern: new RegExp(`^/calendar/v3${method.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
}));

export function routeCalendar(verb: string, path: string): CalendarRoute | undefined {
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

interface CalendarRequest {
  readonly token: AccessToken | undefined;
  readonly accountName: string;
  readonly query: URLSearchParams;
  readonly ifMatch: string | undefined;
  readonly body: Buffer;
  readonly now: Date;
  readonly call: number;
}

/** Query parameters that every method accepts. */
const standardQuery = new Set([
  "access_token",
  "alt",
  "prettyPrint",
  "fields",
  "quotaUser",
  "key",
  "oauth_token",
  "userIp",
]);

export function serveCalendar(
  state: SimulatorState,
  { method, params }: CalendarRoute,
  request: CalendarRequest,
): unknown {
  const { token, query, ifMatch, now, call } = request;
  if (!token || token.expiresAt <= now.getTime()) throw unauthenticated();
  if (!token.scopes.some((scope) => method.scopes.includes(scope)))
    throw insufficientCalendarScope(method.name, method.scopes);
  const unknown = [...query.keys()].find(
    (name) => !standardQuery.has(name) && !method.query?.includes(name),
  );
  if (unknown !== undefined)
    throw badRequest(
      `Invalid JSON payload received. Unknown name "${unknown}": Cannot bind query parameter. Field '${unknown}' could not be found in request message.`,
    );
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
