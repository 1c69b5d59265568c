import { ApiError, gmailError, missingCredentials } from "./api-error.ts";
import { routeCalendar, serveCalendar } from "./calendar/calendar-api.ts";
import { faultResponse } from "./control/fault-response.ts";
import { routeGmail, serveGmail } from "./gmail/gmail-api.ts";
import type { Account } from "./oauth/authorize-page.ts";
import { createOauthEndpoints, type OauthDeps } from "./oauth/oauth-endpoints.ts";
import { findRequestToken } from "./oauth/request-token.ts";
import { json } from "./responses.ts";
import type { ServiceResponse, ServiceRequest, SimulatedService } from "./simulated-service.ts";
import type { SimulatorState } from "./state/simulator-state.ts";

export function createGoogleService(deps: OauthDeps): SimulatedService {
  const { state, accounts } = deps;
  const oauthEndpoints = createOauthEndpoints(deps);
  return {
    methodName: (verb, path) =>
      oauthEndpoints[`${verb} ${path}`]?.name ??
      routeGmail(verb, path)?.method.name ??
      routeCalendar(verb, path)?.method.name,
    accountOf: (call) => findRequestToken(state, call)?.grant.account,
    isRead: (verb) => verb === "GET",
    refuse: (error) =>
      refusal(
        error instanceof ApiError
          ? error
          : gmailError(
              500,
              `The simulated Google failed: ${error instanceof Error ? error.message : String(error)}`,
              { reason: "backendError" },
            ),
      ),
    respondWithFault: (fault) => refusal(faultResponse(fault)),
    serve: async (call) =>
      oauthEndpoints[`${call.verb} ${call.url.pathname}`]?.serve(call) ??
      serveApi(state, accounts, call),
  };
}

/** Gmail and Calendar. Throws ApiError. */
async function serveApi(
  state: SimulatorState,
  accounts: readonly Account[],
  call: ServiceRequest,
): Promise<ServiceResponse> {
  const path = call.url.pathname;
  const gmailRoute = routeGmail(call.verb, path);
  const calendarRoute = routeCalendar(call.verb, path);
  if (!gmailRoute && !calendarRoute)
    throw new ApiError(404, {
      error: {
        code: 404,
        message: `The requested URL ${path} was not found on this server.`,
        status: "NOT_FOUND",
      },
    });
  if (call.headers.authorization === undefined && !call.url.searchParams.has("access_token"))
    throw missingCredentials();
  const token = findRequestToken(state, call);
  const request = {
    token,
    query: call.url.searchParams,
    body: call.body,
    now: call.now,
    call: call.call,
  };
  const name = accounts.find(({ address }) => address === token?.grant.account)?.name ?? "";
  const value = gmailRoute
    ? await serveGmail(state, gmailRoute, { ...request, senderName: name })
    : calendarRoute &&
      serveCalendar(state, calendarRoute, {
        ...request,
        accountName: name,
        ifMatch: [call.headers["if-match"]].flat()[0],
      });
  return value === undefined ? { status: 204, headers: {}, body: "" } : json(200, value);
}

const refusal = ({ status, body, headers }: ApiError) => json(status, body, headers);
