import {
  omitUndefined,
  errorTable,
  isErrorCode,
  problemSchema,
  type ApiResponse,
  type ApiBodyInput,
  type ApiKey,
  type ApiParams,
  type ApiQueryInput,
  type ErrorCode,
} from "@bron/protocol";
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
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as they are, instead. */
  readonly bytes?: Blob | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
  /** For the head of its answer, if that may take longer than others. */
  readonly answerMs?: number;
  /** A reading request may be repeated; one that changes something only if the server knows it again. */
  readonly repeatable?: boolean;
}

export interface Connection {
  /** Throws ClientError for every answer that is not a success. Until the headers: the body is the caller's to read. */
  open(path: string, asking?: Asking): Promise<Response>;
  json<T>(path: string, asking?: Asking): Promise<T>;
  /** An endpoint of the table, by what the table says of it. */
  call<K extends ApiKey>(key: K, ...options: CallArguments<K>): Promise<ApiResponse<K>>;
}

type IfAny<T, Then> = keyof T extends never ? unknown : Then;

export type CallOptions<K extends ApiKey> = IfAny<ApiParams<K>, { readonly params: ApiParams<K> }> &
  (ApiBodyInput<K> extends undefined ? unknown : { readonly body: ApiBodyInput<K> }) & {
    readonly query?: ApiQueryInput<K>;
    readonly signal?: AbortSignal;
    readonly idempotencyKey?: string | undefined;
  };

type CallArguments<K extends ApiKey> =
  Record<never, never> extends CallOptions<K>
    ? [options?: CallOptions<K>]
    : [options: CallOptions<K>];

const maxTries = 3;

export function createConnection(
  { url, authorize, fetch: send = fetch }: ConnectionOptions,
  times: ClientTimes,
): Connection {
  const ask = async (
    path: string,
    { method = "GET", headers = {}, body, bytes, signal, answerMs = times.answerMs }: Asking,
  ): Promise<Response> => {
    const late = AbortSignal.timeout(answerMs);
    const answered = new AbortController();
    const giveUp = () => answered.abort(late.reason);
    late.addEventListener("abort", giveUp);
    try {
      const base = typeof url === "string" ? url : await url();
      const authorization = await authorize?.();
      return await send(new URL(path, base), {
        method,
        redirect: "error",
        headers: {
          ...headers,
          ...omitUndefined({ authorization }),
          ...(hasBody(method) && !bytes ? { "content-type": "application/json" } : {}),
        },
        ...(hasBody(method) ? { body: bytes ?? JSON.stringify(body ?? {}) } : {}),
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
        if (
          tried >= tries ||
          asking.signal?.aborted ||
          !ClientError.is(error, "server_unreachable")
        )
          throw error;
        await sleep(waitBefore(tried - 1, times), asking.signal);
      }
    }
  };

  const json = async <T>(path: string, asking?: Asking): Promise<T> => {
    const response = await open(path, asking);
    if (response.status === 204) return undefined as T;
    try {
      return (await response.json()) as T;
    } catch (error) {
      throw unreachable(error);
    }
  };

  return {
    open,
    json,
    call: <K extends ApiKey>(key: K, ...[options]: CallArguments<K>) => {
      const { params, query, body, signal, idempotencyKey } = (options ?? {}) as Called;
      const [method, path] = key.split(" ") as [NonNullable<Asking["method"]>, string];
      return json<ApiResponse<K>>(`${fill(path, params)}${queryOf(query)}`, {
        method,
        ...omitUndefined({ body }),
        ...(signal ? { signal } : {}),
        // The server knows it again, and so it may be repeated.
        ...(idempotencyKey === undefined
          ? {}
          : { headers: { "idempotency-key": idempotencyKey }, repeatable: true }),
      });
    },
  };
}

interface Called {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
}

export function fill(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

type QueryValue = string | number | boolean | undefined;

export function queryOf(values: Readonly<Record<string, QueryValue>> = {}): string {
  const set = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return set.length === 0 ? "" : `?${new URLSearchParams(set).toString()}`;
}

function hasBody(method: string): boolean {
  return method !== "GET" && method !== "DELETE";
}

export function unreachable(cause: unknown): ClientError {
  return new ClientError("server_unreachable", "The running Bron does not answer.", { cause });
}

async function errorOf(response: Response): Promise<ClientError> {
  const parsed = problemSchema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success)
    return new ClientError(
      "server_unreachable",
      `What answers there is not Bron: HTTP ${response.status}.`,
      { details: { status: response.status } },
    );
  const { code, detail, hint, reference, errors } = parsed.data;
  return new ClientError(isErrorCode(code) ? code : codeOfStatus(response.status), detail, {
    details: {
      hint,
      status: response.status,
      ...retryAfter(response),
      ...omitUndefined({ reference, errors }),
    },
  });
}

function retryAfter({ headers }: Response): { retryAfterSeconds?: number } {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {};
}

/** For a code that only a newer Bron knows. */
function codeOfStatus(status: number): ErrorCode {
  const known = (
    [
      "invalid_input",
      "unauthenticated",
      "forbidden",
      "not_found",
      "conflict",
      "rate_limited",
    ] as const
  ).find((code) => errorTable[code].status === status);
  return known ?? (status < 500 ? "invalid_input" : "internal");
}
