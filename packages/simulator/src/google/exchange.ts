import { omitUndefined } from "@bron/protocol";
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { describeFault } from "./control/fault-response.ts";
import type { ActiveFault, FaultBoard } from "./control/faults.ts";
import type { ServiceResponse, ServiceRequest, SimulatedService } from "./simulated-service.ts";
import type { RecordedCall } from "./state/record.ts";
import type { SimulatorState } from "./state/simulator-state.ts";

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: Buffer;
}

interface ExchangeDeps {
  readonly state: SimulatorState;
  readonly service: SimulatedService;
  readonly faults: FaultBoard;
  readonly now: () => Date;
  /** Aborts waits when the simulator closes. */
  readonly signal: AbortSignal;
}

/**
 * Handles one call of a provider's API: records it, applies a fault if one is set, serves it and
 * records the outcome.
 */
export async function exchange(
  deps: ExchangeDeps,
  { request, response, url, body }: Exchange,
): Promise<void> {
  const { state, service, faults, now, signal } = deps;
  const verb = request.method ?? "GET";
  const method = service.methodName(verb, url.pathname) ?? "";
  const account = service.accountOf({ url, headers: request.headers });
  const fault = faults.take(method, `${url.pathname}${url.search}`);
  const seq = state.recorder().nextSeq();
  const startedCall: RecordedCall = {
    seq,
    time: now().toISOString(),
    method,
    verb,
    path: withoutSecrets(url),
    bodyBytes: body.length,
    bodyDigest: createHash("sha256").update(body).digest("hex"),
    ending: "open",
    effects: [],
    ...omitUndefined({ account, fault: fault === undefined ? undefined : describeFault(fault) }),
  };
  const isRead = service.isRead(verb, method);
  state.recordCall(startedCall, { isRead });

  const isOpen = () => !response.destroyed && !request.socket.destroyed;
  const finish = (how: Pick<RecordedCall, "status" | "ending">) =>
    state.recordCall(
      { ...startedCall, effects: state.recorder().call(seq)?.effects ?? [], ...how },
      { isRead },
    );
  // The call continues even if the caller disconnects while it waits.
  response.once("close", () => {
    if (!response.writableEnded) finish({ ending: "cut" });
  });
  const serve = () =>
    serveCall(service, { verb, url, headers: request.headers, body, now: now(), call: seq });
  const answer = await withFault(fault, { service, serve, freeze: faults.freeze, signal });
  if (!answer || !isOpen()) {
    request.socket.destroy();
    return finish({ ending: "cut" });
  }
  send(response, answer);
  finish({ status: answer.status, ending: "answered" });
}

interface FaultSurroundings {
  readonly service: SimulatedService;
  readonly serve: () => Promise<ServiceResponse>;
  readonly freeze: (id: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Returns undefined when the connection must be cut. */
async function withFault(
  fault: ActiveFault | undefined,
  { service, serve, freeze, signal }: FaultSurroundings,
): Promise<ServiceResponse | undefined> {
  if (!fault) return serve();
  const pause = async () => {
    if (fault.kind === "frozen") await freeze(fault.id);
    if (fault.kind === "slow") await wait(fault.ms, undefined, { signal }).catch(() => undefined);
  };
  if (fault.when === "before") {
    if (fault.kind === "cut") return undefined;
    if (fault.kind === "status") return service.respondWithFault(fault);
    await pause();
    // A simulator that was closed meanwhile must not change its state.
    return signal.aborted ? undefined : serve();
  }
  const answer = await serve();
  if (fault.kind === "cut") return undefined;
  if (fault.kind === "status") return service.respondWithFault(fault);
  await pause();
  return answer;
}

async function serveCall(
  service: SimulatedService,
  call: ServiceRequest,
): Promise<ServiceResponse> {
  try {
    return await service.serve(call);
  } catch (error) {
    return service.refuse(error);
  }
}

export function send(response: ServerResponse, { status, headers, body }: ServiceResponse): void {
  const bytes = Buffer.from(body, "utf8");
  response.writeHead(
    status,
    status === 204 ? headers : { ...headers, "content-length": String(bytes.length) },
  );
  response.end(status === 204 ? undefined : bytes);
}

/** Removes tokens and secrets from the recorded query. */
function withoutSecrets(url: URL): string {
  const query = new URLSearchParams(url.searchParams);
  for (const name of ["token", "access_token", "client_secret", "code"])
    if (query.has(name)) query.set(name, "...");
  return query.size === 0 ? url.pathname : `${url.pathname}?${query}`;
}
