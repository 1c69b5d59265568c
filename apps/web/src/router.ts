import { useEffect, useState } from "react";

export type Place = { readonly page: "home" | "demo" } | { readonly page: "run"; readonly runId: string } | { readonly page: "nowhere" };

function placeOf(path: string): Place {
  if (path === "/") return { page: "home" };
  if (path === "/demo") return { page: "demo" };
  const runId = /^\/runs\/([0-9a-f-]{36})$/.exec(path)?.[1];
  return runId === undefined ? { page: "nowhere" } : { page: "run", runId };
}

export function goTo(path: string): void {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

export function usePlace(): Place {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const follow = () => setPath(location.pathname);
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  return placeOf(path);
}
