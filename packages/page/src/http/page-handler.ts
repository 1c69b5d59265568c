import { BronError, type AuxiliaryRequests, type RunModel } from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { createConversations, type Conversations, type Asked } from "../conversation.ts";
import type { FindSite, PageSite } from "../site/page-site.ts";
import { reserveSpending } from "../site/spending.ts";
import { sealedKeeper, type PageMemory, type StateKeeper } from "../state/keeper.ts";
import { processMemory } from "../state/process-memory.ts";
import { createSealer } from "../state/seal.ts";
import type { PageError, PageEvent, PageResponse } from "../wire.ts";
import { approvalPages, type ApprovalPages } from "./approval-page.ts";
import { allowedOrigin, corsHeaders, pageHeader } from "./cors.ts";
import { readMessage, readResults } from "./read-request.ts";
import { isRefusal, refuse, type Refusal } from "./refusal.ts";
import { streamFormatOf, streamResponse } from "./stream.ts";
import { visitorHeader, visitorOf, type Visitor } from "./visitor.ts";

export interface PageHandlerOptions {
  /** Seals states, names visitors and binds approvals. At least 32 characters. */
  readonly secretKey: string;
  readonly findSite: FindSite;
  /** For what Bron itself asks a model. The default is the site's model. */
  readonly lightModel?: RunModel;
  readonly auxiliaryRequests?: AuxiliaryRequests;
  /** What is remembered between requests. The default is this process. */
  readonly memory?: PageMemory;
  /** Where conversations are kept. The default is with the page, sealed. */
  readonly keeper?: StateKeeper;
  /** The address of the caller, for rates. The default counts all callers as one. */
  readonly addressOf?: (request: Request) => string;
  readonly now?: () => number;
  readonly onProblem?: (message: string, error?: unknown) => void;
}

/** Answers requests below `/<site>`: `/message`, `/results` and `/approve`. */
export type PageHandler = (request: Request, address?: string) => Promise<Response>;

const stateTtlMs = 2 * 3_600_000;
const minuteMs = 60_000;
const minSecretCharacters = 32;

/** The page agent's handler, for any server: a Request in, a Response out. */
export async function createPageHandler(options: PageHandlerOptions): Promise<PageHandler> {
  const { secretKey, now = Date.now } = options;
  if (secretKey.length < minSecretCharacters)
    throw new BronError(
      "config_invalid",
      `secretKey must have at least ${minSecretCharacters} characters.`,
    );
  const memory = options.memory ?? processMemory(now);
  const keeper =
    options.keeper ?? (await sealedKeeper({ secretKey, memory, now, ttlMs: stateTtlMs }));
  const approvals = approvalPages(await createSealer(secretKey, "approval"), memory, now);
  const conversations = createConversations({ ...options, keeper, approvals, now });
  const deps: HandlerDeps = { ...options, memory, approvals, conversations };
  return async (request) => {
    const { base, site: name, action } = placeOf(new URL(request.url));
    const site = await options.findSite(name);
    if (!site) return refused(refuse("unknown_site"), {});
    if (action === "approve") return await approvals.handle(request, site.name);
    return await respondToPage(request, { site, action, base }, deps);
  };
}

interface HandlerDeps extends PageHandlerOptions {
  readonly memory: PageMemory;
  readonly approvals: ApprovalPages;
  readonly conversations: Conversations;
}

interface Place {
  readonly site: PageSite;
  readonly action: string;
  /** The address of the site's handler, without the action. */
  readonly base: string;
}

/** `/anything/shop/message`: the last part is the action, the one before it the site. */
function placeOf({ origin, pathname }: URL): { base: string; site: string; action: string } {
  const parts = pathname.split("/");
  const action = parts.pop() ?? "";
  return {
    base: `${origin}${parts.join("/")}`,
    site: decodeURIComponent(parts.at(-1) ?? ""),
    action,
  };
}

async function respondToPage(request: Request, place: Place, deps: HandlerDeps): Promise<Response> {
  const origin = allowedOrigin(request, place.site);
  if (origin === undefined) return refused(refuse("wrong_origin"), {});
  const headers = corsHeaders(origin);
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers });
  const visitor = visitorOf(request, deps.secretKey, place.site.name);
  headers[visitorHeader] = visitor.token;
  const asked = await readAsked(request, { ...place, origin, visitor }, deps);
  if (isRefusal(asked)) return refused(asked, headers);
  const format = streamFormatOf(request);
  if (format === undefined) {
    const result = await converse(asked, () => undefined, deps, request.signal);
    return isRefusal(result) ? refused(result, headers) : Response.json(result, { headers });
  }
  return streamResponse(format, headers, async (send, signal) => {
    await converse(asked, send, deps, AbortSignal.any([signal, request.signal]));
  });
}

/** Everything that is checked before a model is called. */
async function readAsked(
  request: Request,
  { site, action, base, origin, visitor }: Place & { origin: string; visitor: Visitor },
  deps: HandlerDeps,
): Promise<Asked | Refusal> {
  if (request.method !== "POST" || (action !== "message" && action !== "results"))
    return refuse("invalid_request", { message: "Send a POST request to /message or /results." });
  if (request.headers.get(pageHeader) === null)
    return refuse("invalid_request", { message: `Set the header ${pageHeader}.` });
  if (!site.isOn) return refuse("site_off");
  const limited = await checkRates(request, { site, action, visitor }, deps);
  if (limited) return limited;
  const body = action === "message" ? await readMessage(request) : await readResults(request);
  if (isRefusal(body)) return body;
  return {
    site,
    base,
    binding: { site: site.name, origin, visitor: visitor.id },
    body,
    input:
      "message" in body
        ? { kind: "message", text: body.message }
        : { kind: "results", results: body.results },
  };
}

async function checkRates(
  request: Request,
  { site, action, visitor }: { site: PageSite; action: string; visitor: Visitor },
  { memory, addressOf }: HandlerDeps,
): Promise<Refusal | undefined> {
  const { messagesPerMinute = 20, requestsPerAddress = 120 } = site.caps;
  const address = `rate ${site.name} ${addressOf?.(request) ?? ""}`;
  if ((await memory.add(address, 1, minuteMs)) > requestsPerAddress)
    return refuse("rate_limited", { retryAfterMs: minuteMs });
  if (action !== "message") return undefined;
  const sent = await memory.add(`rate ${site.name} visitor ${visitor.id}`, 1, minuteMs);
  return sent > messagesPerMinute ? refuse("rate_limited", { retryAfterMs: minuteMs }) : undefined;
}

/** Takes the turn within what the site and the visitor may spend. */
async function converse(
  asked: Asked,
  send: (event: PageEvent) => void,
  { memory, conversations, onProblem }: HandlerDeps,
  signal: AbortSignal,
): Promise<PageResponse | Refusal> {
  const reserve = await reserveSpending(memory, asked.site, asked.binding.visitor);
  if (!reserve) {
    const refusal = refuse("cap_reached");
    send({ type: "RUN_ERROR", code: refusal.code, message: refusal.message });
    return refusal;
  }
  let spent = 0;
  try {
    const responded = await conversations.respond(asked, {
      costMicrousd: reserve.costMicrousd,
      send,
      signal,
    });
    spent = "spentMicrousd" in responded ? responded.spentMicrousd : 0;
    return "response" in responded ? responded.response : responded;
  } catch (error) {
    // What a model call that was cut off cost is not known.
    spent = reserve.costMicrousd ?? 0;
    if (!signal.aborted) onProblem?.("A page request failed", error);
    const refusal = refuse("model_unavailable");
    send({ type: "RUN_ERROR", code: refusal.code, message: refusal.message });
    return refusal;
  } finally {
    await reserve.settle(spent);
  }
}

function refused(
  { status, code, message, retryAfterMs }: Refusal,
  headers: Record<string, string>,
): Response {
  const body: PageError = { code, message, ...omitUndefined({ retryAfterMs }) };
  const retryAfter =
    retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1_000)) };
  return Response.json(body, {
    status,
    headers: { ...headers, ...retryAfter, "cache-control": "no-store" },
  });
}
