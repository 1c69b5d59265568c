import type { ServiceRequest } from "../simulated-service.ts";
import type { AccessToken } from "../state/grants.ts";
import type { SimulatorState } from "../state/simulator-state.ts";

/** The access token of the header or the query. It may have expired. */
export function findRequestToken(
  state: SimulatorState,
  { url, headers }: Pick<ServiceRequest, "url" | "headers">,
): AccessToken | undefined {
  const token = bearer(headers) ?? url.searchParams.get("access_token") ?? "";
  return state.grants().byAccessToken(token);
}

function bearer({ authorization }: ServiceRequest["headers"]): string | undefined {
  return typeof authorization === "string" ? /^Bearer (\S+)$/i.exec(authorization)?.[1] : undefined;
}
