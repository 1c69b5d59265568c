import {
  api,
  type Api,
  type ApiResponse,
  type ApiBody,
  type ApiKey,
  type ApiParams,
  type ApiQuery,
  type Endpoint,
} from "@bron/protocol";
import { requireScope, type ServiceCaller } from "@bron/runtime";
import type { HttpBindings } from "@hono/node-server";
import type { Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { IncomingMessage } from "node:http";
import { z } from "zod";
import { countApprovals } from "./access/approval-rate.ts";
import type { Rates } from "./access/rates.ts";
import { readJson, type BodyLimits } from "./read-json.ts";
import { refuseNul } from "./refuse-nul.ts";

/** The authenticated caller of a request. */
export interface Caller extends ServiceCaller {
  /**
   * Whether the session or token is still valid. It may have been ended here or on another server.
   */
  readonly isStillValid: () => Promise<boolean>;
}

export type ServerEnv = { Bindings: HttpBindings; Variables: { caller?: Caller; route?: string } };

/** A validated request to one endpoint. */
interface EndpointRequest<K extends ApiKey> {
  readonly caller: Api[K]["scope"] extends "open" ? undefined : Caller;
  readonly params: ApiParams<K>;
  readonly query: ApiQuery<K>;
  readonly body: ApiBody<K>;
  readonly idempotencyKey: string | undefined;
  readonly c: Context<ServerEnv>;
}

/**
 * Registers the handler of an endpoint. A handler may also return a Response, which is sent
 * unchanged.
 */
export type On = <K extends ApiKey>(
  key: K,
  handler: (request: EndpointRequest<K>) => Promise<ApiResponse<K> | Response>,
) => void;

const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "Idempotency-Key: 1 to 255 printable characters without spaces")
  .optional();

interface EndpointDeps {
  readonly limits: BodyLimits;
  readonly rates: Rates;
}

/** Checks scope, rate limit, query and body of every endpoint, in this order. */
export function createEndpoints(app: Hono<ServerEnv>, { limits, rates }: EndpointDeps): On {
  return (key, handler) => {
    const endpoint: Endpoint = api[key];
    const [method, path] = split(key);
    app.on(method, path, async (c) => {
      c.set("route", key);
      const caller = c.get("caller");
      if (endpoint.scope !== "open") requireScope(endpoint.scope, caller);
      if (endpoint.alsoScope !== undefined) requireScope(endpoint.alsoScope, caller);
      const turn =
        endpoint.rate === undefined
          ? undefined
          : { name: endpoint.rate, ownerId: caller?.ownerId, incoming: c.env.incoming };
      const isApproval = endpoint.rate === "approve";
      if (turn && !isApproval) await rates.take(turn);
      refuseNul(c.req.query(), "The query");
      refuseNul(c.req.param(), "The path");
      const request = {
        caller,
        params: c.req.param(),
        query: endpoint.query?.parse(c.req.query()) ?? {},
        body: endpoint.body?.parse(await readText(c.env.incoming, limits)),
        idempotencyKey:
          endpoint.idempotent === true
            ? idempotencyKeySchema.parse(c.req.header("idempotency-key"))
            : undefined,
        c,
      };
      const handle = () => handler(request as unknown as EndpointRequest<typeof key>);
      const response =
        turn && isApproval
          ? await countApprovals(
              rates,
              { ...turn, count: endpoint.rateCost?.(request.body as never) ?? 1 },
              handle,
            )
          : await handle();
      if (response instanceof Response) return response;
      if (response === undefined) return c.body(null, 204);
      return c.json(response as object, (endpoint.status ?? 200) as ContentfulStatusCode);
    });
  };
}

async function readText(incoming: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  const body = await readJson(incoming, limits);
  refuseNul(body, "The request body");
  return body;
}

export function split(key: string): [method: string, path: string] {
  const [method = "", path = ""] = key.split(" ");
  return [method, path];
}
