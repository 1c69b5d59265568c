// Keeps the page itself in the browser: the document and its scripts, never data of the owner. The
// build puts it at /sw.js and fills in the names of the files.
import { isPagePath } from "./page-paths.ts";

declare const __FILES__: readonly string[];
declare const __VERSION__: string;

/** The part of a service worker that is used here. TypeScript has its types only without the DOM. */
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface Worker {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent<unknown>) => void): void;
}

const worker = globalThis as unknown as Worker;
const cacheName = `shell-${__VERSION__}`;
const documentPath = "/";

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches.open(cacheName).then(async (cache) => {
      // The document is fetched anew, because the browser may have an older one.
      await cache.addAll([
        new Request(documentPath, { cache: "reload" }),
        ...__FILES__.map((name) => new Request(`/${name}`)),
      ]);
    }),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      const names = await caches.keys();
      await Promise.all(
        names.filter((name) => name !== cacheName).map((name) => caches.delete(name)),
      );
      await worker.clients.claim();
    })(),
  );
});

worker.addEventListener("message", ({ data }) => {
  if (data === "take-over") void worker.skipWaiting();
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (isPagePath(pathname)) event.respondWith(openPage(request));
  } else if (pathname.startsWith("/assets/")) event.respondWith(readAsset(request));
});

/** The server's document, or the kept one if the server is away. */
async function openPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(documentPath, { cacheName });
    if (!kept) throw error;
    return kept;
  }
}

/** The name of an asset contains a hash of its content, so a kept one is right. */
async function readAsset(request: Request): Promise<Response> {
  return (await caches.match(request, { cacheName })) ?? (await fetch(request));
}
