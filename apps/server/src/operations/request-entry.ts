import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../register-endpoint.ts";

/** A log entry of a request. Contains no address, query, header or body. */
export interface RequestEntry {
  /** Also sent in the response's `x-request-id` header. */
  readonly requestId: string;
  readonly method: string;
  /** The pattern, such as /api/runs/:id, or `none` for an unknown path. */
  readonly route: string;
  /** 499 if the client disconnected before the response. */
  readonly status: number;
  readonly ms: number;
  readonly isStream: boolean;
  readonly ownerId?: string;
  readonly via?: Caller["via"];
}

const requestIdHeader = "x-request-id";
/** A request id that a client may choose. Others are replaced. */
const givenId = /^[\w-]{1,64}$/;
const goneStatus = 499;

interface RequestObservation {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly routeOf: (method: string, path: string) => string | undefined;
  readonly callerOf: (incoming: IncomingMessage) => Caller | undefined;
  readonly onRequest: (entry: RequestEntry) => void;
}

/**
 * Assigns the request id, and reports the request after the response or when the client
 * disconnects.
 */
export function observeRequest({
  incoming,
  outgoing,
  routeOf,
  callerOf,
  onRequest,
}: RequestObservation): void {
  const startedAt = performance.now();
  const { method = "", url = "" } = incoming;
  const given = incoming.headers[requestIdHeader];
  const requestId =
    typeof given === "string" && givenId.test(given) ? given : randomBytes(12).toString("hex");
  outgoing.setHeader(requestIdHeader, requestId);
  outgoing.once("close", () => {
    const caller = callerOf(incoming);
    onRequest({
      requestId,
      method,
      route: routeOf(method, url.split("?", 1)[0] ?? "") ?? "none",
      status: outgoing.headersSent ? outgoing.statusCode : goneStatus,
      ms: Math.round((performance.now() - startedAt) * 10) / 10,
      isStream: /^(?:text\/event-stream|application\/x-ndjson)/.test(
        String(outgoing.getHeader("content-type") ?? ""),
      ),
      ...(caller ? { ownerId: caller.ownerId, via: caller.via } : {}),
    });
  });
}
