import type {
  PageError,
  PageEvent,
  PageHeader,
  PagePath,
  PageResponse,
  SendMessageInput,
  SubmitToolResultsInput,
} from "@bron/page/wire";
import { readEvents, RequestProblem } from "./read-events.ts";

/** Sends requests to the handler. Throws `RequestProblem`, and the signal's reason. */
export interface Transport {
  send(input: SendMessageInput, options: RequestOptions): Promise<PageResponse>;
  submit(input: SubmitToolResultsInput, options: RequestOptions): Promise<PageResponse>;
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly onEvent: (event: PageEvent) => void;
}

const header: PageHeader = "x-bron-page";
/** Names an anonymous visitor. The handler signs it, and binds the conversation to it. */
const visitorHeader = "x-bron-visitor";

export interface TransportOptions {
  /** The address of the handler, with the site. */
  readonly endpoint: () => string;
  /** Kept from before the page's own scripts could replace it. */
  readonly request: typeof fetch;
  readonly visitor: { load(): string | undefined; save(token: string): void };
}

export function createTransport({ endpoint, request, visitor }: TransportOptions): Transport {
  const post = async (path: PagePath, input: object, { signal, onEvent }: RequestOptions) => {
    const headers: Record<string, string> = {
      "content-type": "application/json",
      accept: "application/x-ndjson, application/json",
      [header]: "1",
    };
    const known = visitor.load();
    if (known !== undefined) headers[visitorHeader] = known;
    const response = await request(`${endpoint()}${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(input),
      // The cookies of another site are never part of this.
      credentials: "same-origin",
      redirect: "error",
      signal,
    }).catch((error: unknown) => {
      throw signal.aborted ? error : new RequestProblem("connection_lost", "");
    });
    const token = response.headers.get(visitorHeader);
    if (token !== null && token !== known) visitor.save(token);
    if (!response.ok) throw await problemOf(response);
    try {
      const isStream = response.headers.get("content-type")?.includes("ndjson") === true;
      if (isStream && response.body) return await readEvents(response.body, onEvent);
      return (await response.json()) as PageResponse;
    } catch (error) {
      // The connection broke in the middle of the response.
      if (signal.aborted || error instanceof RequestProblem) throw error;
      throw new RequestProblem("connection_lost", "");
    }
  };
  return {
    send: (input, options) => post("/message", input, options),
    submit: (input, options) => post("/results", input, options),
  };
}

async function problemOf(response: Response): Promise<RequestProblem> {
  const said = (await response.json().catch(() => ({}))) as Partial<PageError>;
  if (typeof said.code === "string")
    return new RequestProblem(said.code, String(said.message ?? ""), said.retryAfterMs);
  return new RequestProblem(response.status === 404 ? "not_found" : "model_unavailable", "");
}
