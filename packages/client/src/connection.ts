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
import { sleep, backoffMs, type ClientTimes } from "./client-times.ts";

export interface ConnectionOptions {
  /**
   * A function is called before every request, because a restarted server may have another address.
   */
  readonly url: string | (() => string | Promise<string>);
  /** Returns the value of the Authorization header. Without it the browser sends its cookie. */
  readonly authorize?: () => string | Promise<string>;
  readonly fetch?: (url: URL, init: RequestInit) => Promise<Response>;
}

interface RequestOptions {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent instead of `body`, unchanged. */
  readonly bytes?: Blob | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
  /** Overrides the default timeout for the response headers. */
  readonly responseTimeoutMs?: number;
  /**
   * Whether the request may be retried. The default is true for GET. A request with side effects
   * may only be retried if the server recognizes it.
   */
  readonly repeatable?: boolean;
}

export interface Connection {
  /**
   * Resolves when the headers have arrived. The caller reads the body. Throws ClientError for every
   * status that is not a success.
   */
  open(path: string, options?: RequestOptions): Promise<Response>;
  json<T>(path: string, options?: RequestOptions): Promise<T>;
  /** Calls an endpoint of the API table. */
  call<K extends ApiKey>(key: K, ...options: CallArguments<K>): Promise<ApiResponse<K>>;
}

type IfAny<T, Then> = keyof T extends never ? unknown : Then;

/** A body whose fields are all optional may be omitted. */
type BodyOption<Body> = [Body] extends [undefined]
  ? unknown
  : Record<never, never> extends Body
    ? { readonly body?: Body }
    : { readonly body: Body };

type CallOptions<K extends ApiKey> = IfAny<ApiParams<K>, { readonly params: ApiParams<K> }> &
  BodyOption<ApiBodyInput<K>> & {
    readonly query?: ApiQueryInput<K>;
    readonly signal?: AbortSignal;
    readonly idempotencyKey?: string | undefined;
  };

export type CallArguments<K extends ApiKey> =
  Record<never, never> extends CallOptions<K>
    ? [options?: CallOptions<K>]
    : [options: CallOptions<K>];

const maxGetAttempts = 3;

export function createConnection(options: ConnectionOptions, times: ClientTimes): Connection {
  const target: RequestTarget = { fetch, ...options };
  const open = async (path: string, options: RequestOptions = {}): Promise<Response> => {
    const maxAttempts =
      (options.repeatable ?? (options.method ?? "GET") === "GET") ? maxGetAttempts : 1;
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await sendRequest(target, path, {
          ...options,
          responseTimeoutMs: options.responseTimeoutMs ?? times.responseTimeoutMs,
        });
        if (response.ok) return response;
        throw await toClientError(response);
      } catch (error) {
        if (
          attempt >= maxAttempts ||
          options.signal?.aborted ||
          !ClientError.is(error, "server_unreachable")
        )
          throw error;
        await sleep(backoffMs(attempt - 1, times), options.signal);
      }
    }
  };

  const json = async <T>(path: string, options?: RequestOptions): Promise<T> => {
    const response = await open(path, options);
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
      const { params, query, body, signal, idempotencyKey } = (options ?? {}) as CallInput;
      const [method, path] = key.split(" ") as [NonNullable<RequestOptions["method"]>, string];
      return json<ApiResponse<K>>(`${fillPath(path, params)}${toQuery(query)}`, {
        method,
        ...omitUndefined({ body, signal }),
        // The server recognizes the key, so the request may be retried.
        ...(idempotencyKey === undefined
          ? {}
          : { headers: { "idempotency-key": idempotencyKey }, repeatable: true }),
      });
    },
  };
}

type RequestTarget = ConnectionOptions & Required<Pick<ConnectionOptions, "fetch">>;

/** Resolves when the headers have arrived. Throws server_unreachable if they do not arrive in time. */
async function sendRequest(
  { url, authorize, fetch: fetchImpl }: RequestTarget,
  path: string,
  {
    method = "GET",
    headers = {},
    body,
    bytes,
    signal,
    responseTimeoutMs,
  }: RequestOptions & { readonly responseTimeoutMs: number },
): Promise<Response> {
  const timeout = AbortSignal.timeout(responseTimeoutMs);
  const aborter = new AbortController();
  const giveUp = () => aborter.abort(timeout.reason);
  timeout.addEventListener("abort", giveUp);
  try {
    const base = typeof url === "string" ? url : await url();
    const authorization = await authorize?.();
    return await fetchImpl(new URL(path, base), {
      method,
      redirect: "error",
      headers: {
        ...headers,
        ...omitUndefined({ authorization }),
        ...(hasBody(method) && !bytes ? { "content-type": "application/json" } : {}),
      },
      ...(hasBody(method) ? { body: bytes ?? JSON.stringify(body ?? {}) } : {}),
      signal: signal ? AbortSignal.any([signal, aborter.signal]) : aborter.signal,
    });
  } catch (error) {
    if (ClientError.is(error)) throw error;
    throw unreachable(error);
  } finally {
    timeout.removeEventListener("abort", giveUp);
  }
}

interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly idempotencyKey?: string;
}

export function fillPath(path: string, params: Readonly<Record<string, string>> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
}

type QueryValue = string | number | boolean | undefined;

export function toQuery(values: Readonly<Record<string, QueryValue>> = {}): string {
  const pairs = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

function hasBody(method: string): boolean {
  return method !== "GET" && method !== "DELETE";
}

export function unreachable(cause: unknown): ClientError {
  return new ClientError("server_unreachable", "Can't reach Bron.", { cause });
}

async function toClientError(response: Response): Promise<ClientError> {
  const parsed = problemSchema.safeParse(await response.json().catch(() => undefined));
  if (!parsed.success)
    return new ClientError(
      "server_unreachable",
      `The server at this address is not Bron (HTTP ${response.status}).`,
      { details: { status: response.status } },
    );
  const { code, detail, hint, why, reference, errors } = parsed.data;
  return new ClientError(isErrorCode(code) ? code : codeFromStatus(response.status), detail, {
    details: {
      hint,
      status: response.status,
      ...retryAfter(response),
      ...omitUndefined({ why, reference, errors }),
    },
  });
}

function retryAfter({ headers }: Response): { retryAfterSeconds?: number } {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {};
}

/** The fallback for a code that only a newer server knows. */
function codeFromStatus(status: number): ErrorCode {
  const fallback = (
    [
      "invalid_input",
      "unauthenticated",
      "forbidden",
      "not_found",
      "conflict",
      "rate_limited",
    ] as const
  ).find((code) => errorTable[code].status === status);
  return fallback ?? (status < 500 ? "invalid_input" : "internal");
}
