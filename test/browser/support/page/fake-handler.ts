import type {
  JsonObject,
  PageEvent,
  PageResponse,
  PendingApproval,
  SendMessageInput,
  SubmitToolResultsInput,
} from "@bron/page/wire";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";

export interface FakeCall {
  readonly name: string;
  readonly args: JsonObject;
}

/** What the handler says next. A function sees the request first. */
type FakeReply =
  | string
  | { readonly calls: readonly FakeCall[] }
  | { readonly approvals: readonly PendingApproval[] }
  | { readonly status: number; readonly code: string; readonly message: string }
  | { readonly breakOff: true }
  | { readonly say: string; readonly delayMs: number };
type NextReply = FakeReply | ((input: FakeInput) => FakeReply);

type Spoken = Exclude<FakeReply, { breakOff: true } | { status: number }>;

export type FakeInput = SendMessageInput & SubmitToolResultsInput;

interface SitePage {
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status?: number;
}

export interface FakeHandler {
  readonly origin: string;
  /** Pages of the site, by path. Others get the page at "*". */
  readonly pages: Map<string, SitePage>;
  /** Replies to the next requests, in order. */
  replyWith(...replies: readonly NextReply[]): void;
  /** What pages sent, as it came. */
  readonly bodies: string[];
  readonly inputs: FakeInput[];
  /** Other requests: method, path and body. */
  readonly siteRequests: string[];
  /** Each breach of the wire's rules. Must stay empty. */
  readonly violations: string[];
  clear(): void;
  close(): Promise<void>;
}

const dist = fileURLToPath(new URL("../../../../packages/page-widget/dist/", import.meta.url));
/** The page's own scripts may be strict about what runs. The chat has to work under this. */
export const strictPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; style-src 'self'; form-action 'self'; frame-src 'self'; base-uri 'none'; require-trusted-types-for 'script'";

/** A small fake of the handler that checks that each call gets exactly one result. */
export async function startFakeHandler(): Promise<FakeHandler> {
  const queue: NextReply[] = [];
  const bodies: string[] = [];
  const inputs: FakeInput[] = [];
  const siteRequests: string[] = [];
  const violations: string[] = [];
  const pages = new Map<string, SitePage>();
  /** The calls that each state waits for. A state is used once. */
  const open = new Map<string, ReadonlySet<string>>();
  let counter = 0;

  const respond = (input: FakeInput, isResults: boolean): FakeReply | { problem: string } => {
    const expected = input.state === undefined ? new Set<string>() : open.get(input.state);
    if (!expected) return { status: 409, code: "used_state", message: "" };
    if (input.state !== undefined) open.delete(input.state);
    if (isResults) {
      const given = input.results.map(({ callId }) => callId);
      const isExact = given.length === expected.size && given.every((id) => expected.has(id));
      if (!isExact || new Set(given).size !== given.length)
        violations.push(`results for ${given.join()} instead of ${[...expected].join()}`);
    }
    const names = input.toolDefinitions.map(({ name }) => name);
    if (new Set(names).size !== names.length) violations.push(`tools twice: ${names.join()}`);
    for (const name of names)
      if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) violations.push(`bad name ${name}`);
    const next = queue.shift();
    if (next === undefined) return "Nothing more to say.";
    return typeof next === "function" ? next(input) : next;
  };

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const text = await readBody(request);
    bodies.push(text);
    if (request.headers["x-bron-page"] === undefined) violations.push("no header");
    const visitor = request.headers["x-bron-visitor"];
    const isLater = (JSON.parse(text) as FakeInput).state !== undefined;
    if (isLater && visitor !== "visitor-1") violations.push("a state without its visitor");
    if (request.headers.accept?.includes("application/x-ndjson") !== true)
      violations.push("no stream asked for");
    const input = JSON.parse(text) as FakeInput;
    inputs.push(input);
    const isResults = request.url?.endsWith("/results") === true;
    const reply = respond(input, isResults);
    if (typeof reply === "object" && "breakOff" in reply) {
      // Browsers repeat a request themselves if nothing of the response has arrived.
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write(`${JSON.stringify({ type: "RUN_STARTED", threadId: "t", runId: "r" })}\n`);
      return void setTimeout(() => response.destroy(), 50);
    }
    if (typeof reply === "object" && "status" in reply)
      return void response
        .writeHead(reply.status, { "content-type": "application/json" })
        .end(JSON.stringify({ code: reply.code, message: reply.message }));
    counter += 1;
    const state = `state-${counter}`;
    const { result, words } = toResponse(reply as Spoken, input, { isResults, state, counter });
    const ids = result.type === "tool-calls" ? result.calls.map(({ id }) => id) : [];
    open.set(state, new Set(ids));
    response.writeHead(200, {
      "content-type": "application/x-ndjson",
      "x-bron-visitor": "visitor-1",
    });
    const send = (event: PageEvent) => response.write(`${JSON.stringify(event)}\n`);
    const run = { threadId: "t", runId: `r${counter}` };
    send({ type: "RUN_STARTED", ...run });
    if (words !== "") {
      send({ type: "TEXT_MESSAGE_START", messageId: `m${counter}`, role: "assistant" });
      for (const delta of words.match(/.{1,24}/gs) ?? [])
        send({ type: "TEXT_MESSAGE_CONTENT", messageId: `m${counter}`, delta });
    }
    if (typeof reply === "object" && "delayMs" in reply)
      await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
    send({ type: "RUN_FINISHED", ...run, result });
    response.end();
  };

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", "http://site.example");
    if (
      request.method === "POST" &&
      /^\/bron\/(?:test\/|shop\/)?(?:message|results)$/.test(pathname)
    )
      return await handle(request, response);
    if (/^\/bron\/bron-chat\.m?js$/.test(pathname) && !pages.has(pathname))
      return void response
        .writeHead(200, { "content-type": "text/javascript" })
        .end(await readFile(`${dist}${pathname.slice("/bron/".length)}`));
    if (pathname === "/favicon.ico") return void response.writeHead(204).end();
    if (!pathname.endsWith(".js"))
      siteRequests.push(`${request.method} ${request.url} ${await readBody(request)}`.trim());
    const page = pages.get(pathname) ?? pages.get("*");
    if (!page) return void response.writeHead(404).end();
    const isScript = pathname.endsWith(".js");
    const type = isScript ? "text/javascript" : "text/html; charset=utf-8";
    response
      .writeHead(page.status ?? 200, { "content-type": type, ...page.headers })
      .end(page.html);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      violations.push(String(error));
      response.destroy();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pages,
    bodies,
    inputs,
    siteRequests,
    violations,
    replyWith: (...replies) => void queue.push(...replies),
    clear() {
      for (const list of [queue, bodies, inputs, siteRequests, violations]) list.length = 0;
      pages.clear();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function toResponse(
  reply: Spoken,
  input: FakeInput,
  at: { readonly isResults: boolean; readonly state: string; readonly counter: number },
): { result: PageResponse; words: string } {
  const { state, counter } = at;
  const timestamp = "2026-11-19T12:00:00.000Z";
  const asked = at.isResults
    ? []
    : [{ id: `u${counter}`, role: "user" as const, content: input.message, timestamp }];
  const history = [...input.history, ...asked];
  const words = typeof reply === "string" ? reply : "say" in reply ? reply.say : "";
  if (words !== "") {
    const said = { id: `a${counter}`, role: "assistant" as const, content: words, timestamp };
    const result: PageResponse = {
      type: "response",
      message: words,
      outcome: "done",
      history: [...history, said],
      state,
    };
    return { result, words };
  }
  const calls = typeof reply === "object" && "calls" in reply ? reply.calls : [];
  const result: PageResponse = {
    type: "tool-calls",
    calls: calls.map(({ name, args }, index) => ({
      id: `c${counter}-${index}`,
      name,
      args,
      category: "page-automation",
    })),
    approvals: typeof reply === "object" && "approvals" in reply ? reply.approvals : [],
    history,
    state,
  };
  return { result, words };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
