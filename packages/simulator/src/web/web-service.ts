import { html } from "../google/responses.ts";
import type { SimulatedService } from "../google/simulated-service.ts";

export interface WebPage {
  readonly mediaType: string;
  readonly body: string;
  /** Defaults to 200. */
  readonly status?: number;
}

export interface Web {
  readonly service: SimulatedService;
  /** Adds or replaces a page until the next reset. */
  readonly publish: (url: string, page: WebPage) => void;
  readonly reset: () => void;
}

export const webPath = "/web";

/** Serves the entire simulated web at `/web?url=https://…` and records the requests. */
export function createWeb(seeded: Readonly<Record<string, WebPage>>): Web {
  const pages = new Map(Object.entries(seeded));
  const none = html(404, "<h1>Not found</h1><p>There is no such page in the demo's web.</p>");
  return {
    publish: (url, page) => pages.set(new URL(url).href, page),
    reset: () => {
      pages.clear();
      for (const [url, page] of Object.entries(seeded)) pages.set(url, page);
    },
    service: {
      methodName: (verb) => (verb === "GET" ? "web.fetch" : undefined),
      accountOf: () => undefined,
      isRead: () => true,
      serve: ({ url }) => {
        const wanted = URL.parse(url.searchParams.get("url") ?? "");
        const page =
          wanted && (pages.get(wanted.href) ?? pages.get(`${wanted.origin}${wanted.pathname}`));
        return Promise.resolve(
          page
            ? {
                status: page.status ?? 200,
                headers: { "content-type": page.mediaType, "cache-control": "no-store" },
                body: page.body,
              }
            : none,
        );
      },
      refuse: () => html(500, "<h1>Error</h1>"),
      respondWithFault: (fault) => html("status" in fault ? fault.status : 503, "<h1>Error</h1>"),
    },
  };
}
