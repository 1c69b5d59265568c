interface Route {
  readonly method: string;
  readonly path: string;
}

/** The methods that a path answers to; none if there is nothing under it. */
export type MethodsOf = (path: string) => readonly string[];

/** Of what is registered, without what stands before every route. */
export function routesOf(registered: readonly Route[]): Route[] {
  return registered
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => ({ method, path }));
}

/** Whether a path is one of those that `/runs/:id` stands for. */
export function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/[.+*?^$()[\]{}|\\]/g, "\\$&").replace(/:[^/]+/g, "[^/]+")}$`);
}

export function createRouteTable(registered: readonly Route[]): MethodsOf {
  const patterns = routesOf(registered).map(({ method, path }) => ({
    method,
    pattern: patternOf(path),
  }));
  return (path) => {
    const methods = patterns
      .filter(({ pattern }) => pattern.test(path))
      .map(({ method }) => method);
    return [
      ...new Set(methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]))),
    ];
  };
}

/** The registered path that stands for a request's. */
export function createRouteNames(
  registered: readonly Route[],
): (method: string, path: string) => string | undefined {
  const patterns = routesOf(registered).map(({ method, path }) => ({
    method,
    path,
    pattern: patternOf(path),
  }));
  // A plain path comes before one with a name in it, as the router has it.
  const ordered = patterns.toSorted(
    (one, other) => Number(one.path.includes(":")) - Number(other.path.includes(":")),
  );
  return (method, path) =>
    ordered.find(
      (route) => route.method === (method === "HEAD" ? "GET" : method) && route.pattern.test(path),
    )?.path;
}
