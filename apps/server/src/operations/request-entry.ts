import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Caller } from "../register-endpoint.ts";

/** A request as a log may tell of it: no address, no query, no header, no body. */
export interface RequestEntry {
  /** Stands in the answer's `x-request-id` too. */
  readonly requestId: string;
  readonly method: string;
  /** The pattern, such as /api/runs/:id; `none` if there is nothing under the path. */
  readonly route: string;
  /** 499 if whoever asked was gone before there was one. */
  readonly status: number;
  readonly ms: number;
  readonly isStream: boolean;
  readonly ownerId?: string;
  readonly via?: Caller["via"];
}

const requestIdHeader = "x-request-id";
const givenId = /^[\w-]{1,64}$/;
const goneStatus = 499;

export interface RequestWatch {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly routeOf: (method: string, path: string) => string | undefined;
  readonly callerOf: (incoming: IncomingMessage) => Caller | undefined;
  readonly onRequest: (entry: RequestEntry) => void;
}

/** Gives the request its id, and tells of it once it is answered or its asker is gone. */
export function watchRequest({
  incoming,
  outgoing,
  routeOf,
  callerOf,
  onRequest,
}: RequestWatch): void {
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
