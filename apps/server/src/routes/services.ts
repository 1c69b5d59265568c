import { api, type ApiResponse, type Endpoint } from "@bron/protocol";
import {
  callService,
  Created,
  type ServiceKey,
  type ServiceRequest,
  type Services,
} from "@bron/runtime";
import type { On } from "../register-endpoint.ts";

/** Adds a route for every service. */
export function addServiceRoutes(on: On, services: Services): void {
  for (const key of Object.keys(services) as ServiceKey[]) addServiceRoute(on, services, key);
}

function addServiceRoute<K extends ServiceKey>(on: On, services: Services, key: K): void {
  const endpoint: Endpoint = api[key];
  on(key, async ({ c, ...request }) => {
    const response = await callService(services, key, request as ServiceRequest<K>);
    if (!(response instanceof Created)) return response;
    const { body, location, isNew } = response as Created<ApiResponse<K> & object>;
    const status = isNew ? (endpoint.status ?? 201) : 200;
    return c.json(body, status as 200 | 201, { location });
  });
}
