import { errorTable, isErrorCode, problemSchema, type ErrorCode } from "@bron/protocol";
import { ClientError } from "./client-error.ts";
import { sleep, waitBefore, type ClientTimes } from "./client-times.ts";

export interface ConnectionOptions {
  /** Asked before every request: the server may have come back under another address. */
  readonly url: string | (() => string | Promise<string>);
  /** The Authorization header's value; without it the browser's cookie goes along. */
  readonly authorize?: () => string | Promise<string>;
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
}

export interface Asking {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  /** A reading request may be repeated; one that changes something only if the server knows it again. */
  readonly repeatable?: boolean;
}

export interface Connection {
  /** Throws ClientError for every answer that is not a success. Until the headers: the body is the caller's to read. */
  open(path: string, asking?: Asking): Promise<Response>;
  json<T>(path: string, asking?: Asking): Promise<T>;
}

const maxTries = 3;

export function createConnection({ url, authorize, fetch: send = fetch }: ConnectionOptions, times: ClientTimes): Connection {
  const ask = async (path: string, { method = "GET", headers = {}, body, signal }: Asking): Promise<Response> => {
    const late = AbortSignal.timeout(times.answerMs);
    const answered = new AbortController();
    const giveUp = () => answered.abort(late.reason);
    late.addEventListener("abort", giveUp);
    try {
      const base = typeof url === "string" ? url : await url();
      const authorization = await authorize?.();
      return await send(new URL(path, base), {
        method,
        redirect: "error",
        headers: { ...headers, ...(authorization === undefined ? {} : { authorization }), ...(method === "GET" ? {} : { "content-type": "application/json" }) },
        ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
        signal: signal ? AbortSignal.any([signal, answered.signal]) : answered.signal,
      });
    } catch (error) {
      if (ClientError.is(error)) throw error;
      throw unreachable(error);
    } finally {
      late.removeEventListener("abort", giveUp);
    }
  };

  const open = async (path: string, asking: Asking = {}): Promise<Response> => {
    const tries = (asking.repeatable ?? (asking.method ?? "GET") === "GET") ? maxTries : 1;
    for (let tried = 1; ; tried++) {
      try {
        const response = await ask(path, asking);
        if (response.ok) return response;
        throw await errorOf(response);
      } catch (error) {
        if (tried >= tries || asking.signal?.aborted || !ClientError.is(error, "server_unreachable")) throw error;
        await sleep(waitBefore(tried - 1, times), asking.signal);
      }
    }
  };

  return {
    open,
    async json<T>(path: string, asking?: Asking) {
      const response = await open(path, asking);
      try {
        return (await response.json()) as T;
      } catch (error) {
        throw unreachable(error);
      }
    },
  };
}

export function unreachable(cause: unknown): ClientError {
  return new ClientError("server_unreachable", "The running Bron does not answer.", { cause });
}

async function errorOf(response: Response): Promise<ClientError> {
  const parsed = problemSchema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success) return new ClientError("server_unreachable", `What answers there is not Bron: HTTP ${response.status}.`, { details: { status: response.status } });
  const { code, detail, hint, reference, errors } = parsed.data;
  return new ClientError(isErrorCode(code) ? code : codeOfStatus(response.status), detail, {
    details: { hint, status: response.status, ...(reference === undefined ? {} : { reference }), ...(errors === undefined ? {} : { errors }) },
  });
}

/** For a code that only a newer Bron knows. */
function codeOfStatus(status: number): ErrorCode {
  const known = (["invalid_input", "unauthenticated", "forbidden", "not_found", "conflict", "rate_limited"] as const).find((code) => errorTable[code].status === status);
  return known ?? (status < 500 ? "invalid_input" : "internal");
}
