import { badRequest } from "./api-error.ts";

/** The members of a method of Gmail or Calendar that decide which requests it serves. */
interface RoutedMethod {
  readonly verb: string;
  /** "/calendars/{calendarId}/events" */
  readonly path: string;
  /** Query parameters besides the standard ones. */
  readonly query?: readonly string[];
}

export interface MethodRoute<M> {
  readonly method: M;
  readonly params: Readonly<Record<string, string>>;
}

/** Finds the method for a verb and path. `prefix` is a regular expression without anchors. */
export function createRouter<M extends RoutedMethod>(
  prefix: string,
  methods: readonly M[],
): (verb: string, path: string) => MethodRoute<M> | undefined {
  const patterns = methods.map((method) => ({
    method,
    pattern: new RegExp(`^${prefix}${method.path.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
  }));
  return (verb, path) => {
    for (const { method, pattern } of patterns) {
      const found = method.verb === verb ? pattern.exec(path) : null;
      if (found)
        return {
          method,
          params: Object.fromEntries(
            Object.entries(found.groups ?? {}).map(([name, value]) => [name, decode(value)]),
          ),
        };
    }
    return undefined;
  };
}

/** Query parameters that every method of both services accepts. */
const standardQuery = ["access_token", "alt", "prettyPrint", "fields", "quotaUser", "key"];

/** Throws if the request has a query parameter that the method does not accept. */
export function requireKnownQuery(query: URLSearchParams, accepted: readonly string[] = []): void {
  const unknown = [...query.keys()].find(
    (name) => !standardQuery.includes(name) && !accepted.includes(name),
  );
  if (unknown !== undefined)
    throw badRequest(
      `Invalid JSON payload received. Unknown name "${unknown}": Cannot bind query parameter. Field '${unknown}' could not be found in request message.`,
    );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
