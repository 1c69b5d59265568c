interface Route {
  readonly method: string;
  readonly path: string;
}

/** The methods that a path supports. Empty for an unknown path. */
export type MethodsOf = (path: string) => readonly string[];

/** The registered routes without middleware. */
export function routesOf(registered: readonly Route[]): Route[] {
  return registered
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => ({ method, path }));
}

/** A pattern that matches the paths of a route such as `/runs/:id`. */
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

/** Finds the registered path of a request. */
export function createRouteNames(
  registered: readonly Route[],
): (method: string, path: string) => string | undefined {
  const patterns = routesOf(registered).map(({ method, path }) => ({
    method,
    path,
    pattern: patternOf(path),
  }));
  // A path without parameters wins over one with parameters, as in the router.
  const ordered = patterns.toSorted(
    (a, b) => Number(a.path.includes(":")) - Number(b.path.includes(":")),
  );
  return (method, path) =>
    ordered.find(
      (route) => route.method === (method === "HEAD" ? "GET" : method) && route.pattern.test(path),
    )?.path;
}
