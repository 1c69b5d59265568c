import { api, problemSchema, type Endpoint } from "@bron/protocol";
import { isDeepStrictEqual } from "node:util";

const table = (Object.entries(api) as [string, Endpoint][]).map(([key, endpoint]) => {
  const [method = "", path = ""] = key.split(" ");
  return {
    key,
    method,
    pattern: new RegExp(`^${path.replaceAll(".", String.raw`\.`).replace(/:\w+/g, "[^/]+")}$`),
    isPlain: !path.includes(":"),
    endpoint,
  };
});

/**
 * How a response differs from the table of endpoints, or undefined if it matches. A member that the
 * table does not list is a difference too.
 */
export function diffFromTable(
  method: string,
  path: string,
  { status, json }: { readonly status: number; readonly json: unknown },
): string | undefined {
  const found = table.filter((one) => one.method === method && one.pattern.test(path));
  const { key, endpoint } = found.find(({ isPlain }) => isPlain) ?? found[0] ?? {};
  if (status >= 400) return diffFrom(problemSchema, `${method} ${path}, ${status}`, json);
  if (!endpoint) return undefined;
  const other = endpoint.also?.[status];
  const response = other?.response ?? endpoint.response;
  if (typeof response === "string") return undefined;
  return status === (endpoint.status ?? 200) || other
    ? diffFrom(response, `${key ?? ""}, ${status}`, json)
    : `${key ?? ""} responded with ${status}, which the table of endpoints does not list`;
}

function diffFrom(
  schema: typeof problemSchema | Exclude<Endpoint["response"], string>,
  what: string,
  json: unknown,
): string | undefined {
  const parsed = schema.safeParse(json);
  if (!parsed.success) return `${what}: ${parsed.error.message}`;
  return isDeepStrictEqual(parsed.data, json)
    ? undefined
    : `${what}: there is more in it than was promised: ${JSON.stringify(json).slice(0, 500)} and not ${JSON.stringify(parsed.data).slice(0, 500)}`;
}
