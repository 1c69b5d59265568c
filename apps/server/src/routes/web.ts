import { BronError } from "@bron/core";
import type { Context, Hono } from "hono";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ServerEnv } from "../register-endpoint.ts";

const mediaTypes: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  woff2: "font/woff2",
  png: "image/png",
  webmanifest: "application/manifest+json",
  json: "application/json",
};
/** A plain file name, so that a request cannot leave the folder. */
const assetName = /^[A-Za-z0-9_-][A-Za-z0-9._-]*\.([a-z0-9]+)$/;
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

/** Paths of the web app's pages. */
export const webPaths = [
  "/",
  "/tasks",
  "/threads",
  "/threads/:id",
  "/brons",
  "/brons/:id",
  "/skills",
  "/skills/:name",
  "/runs",
  "/runs/:id",
  "/approvals",
  "/memory",
  "/connections",
  "/permissions",
  "/audit",
  "/usage",
  "/schedules",
  "/settings",
  "/demo",
] as const;

/** Files with fixed names beside the document: the service worker, and what installing needs. */
export const rootFiles = [
  "sw.js",
  "manifest.webmanifest",
  "icon-192.png",
  "icon-512.png",
  "icon-maskable-512.png",
  "apple-touch-icon.png",
] as const;

/** Serves the built web app: the same document for every page, and its files. */
export function addWebRoutes(app: Hono<ServerEnv>, root: string): void {
  const document = async (c: Context<ServerEnv>) =>
    c.html(await readFile(join(root, "index.html"), "utf8"), 200, {
      "content-security-policy": policy,
    });
  for (const place of webPaths) app.get(place, document);
  for (const name of rootFiles)
    app.get(`/${name}`, async (c) => {
      const bytes = await readFile(join(root, name)).catch(() => undefined);
      if (!bytes) throw new BronError("not_found", "Not found.");
      return c.body(new Uint8Array(bytes), 200, {
        "content-type": typeOf(name) ?? "application/octet-stream",
        // The content changes under the same name.
        "cache-control": "no-cache",
        // The service worker loads the page's files.
        ...(name === "sw.js" && {
          "content-security-policy": "default-src 'none'; connect-src 'self'",
        }),
      });
    });
  app.get("/assets/:name", async (c) => {
    const name = c.req.param("name");
    const type = typeOf(name);
    const found =
      type === undefined
        ? undefined
        : await readAsset(join(root, "assets", name), c.req.header("accept-encoding") ?? "");
    if (type === undefined || !found) throw new BronError("not_found", "Not found.");
    // File names contain a hash of the content, so they can be cached forever.
    return c.body(new Uint8Array(found.bytes), 200, {
      ...found.headers,
      "content-type": type,
      "cache-control": "private, max-age=31536000, immutable",
      vary: "accept-encoding",
    });
  });
}

function typeOf(name: string): string | undefined {
  return mediaTypes[assetName.exec(name)?.[1] ?? ""];
}

const encodings = [
  ["br", ".br"],
  ["gzip", ".gz"],
] as const;

/** Reads the compressed version if the browser accepts it and the build created one. */
async function readAsset(
  path: string,
  accepted: string,
): Promise<
  { readonly bytes: Buffer; readonly headers: Readonly<Record<string, string>> } | undefined
> {
  for (const [encoding, ending] of encodings) {
    if (!new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:,|$)`).test(accepted)) continue;
    const bytes = await readFile(`${path}${ending}`).catch(() => undefined);
    if (bytes) return { bytes, headers: { "content-encoding": encoding } };
  }
  const bytes = await readFile(path).catch(() => undefined);
  return bytes && { bytes, headers: {} };
}
