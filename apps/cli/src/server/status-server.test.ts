import type { RunView } from "@bron/protocol";
import { request } from "node:http";
import { onTestFinished, expect, test } from "vitest";
import { renderStatusPage, type StatusView } from "./status-page.ts";
import { startStatusServer, type StatusServerOptions } from "./status-server.ts";

async function serve(changes: Partial<StatusServerOptions> = {}): Promise<string> {
  const server = await startStatusServer({ host: "127.0.0.1", port: 0, serverId: "me", checkReady: async () => undefined, renderPage: async () => "<p>page</p>", ...changes });
  onTestFinished(server.close);
  return server.url;
}

/** fetch does not let a caller choose the Host header. */
function get(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

test("answers that it is there, and whether the database is", async () => {
  let isReady = true;
  const url = await serve({
    checkReady: async () => {
      if (!isReady) throw new Error("away");
    },
  });
  const health = await fetch(`${url}/healthz`);
  expect(await health.json()).toEqual({ ok: true });
  expect(health.headers.get("bron-server")).toBe("me");
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  isReady = false;
  const away = await fetch(`${url}/readyz`);
  expect([away.status, await away.json()]).toEqual([503, expect.objectContaining({ code: "database_unreachable" })]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

test("shows one page and has nothing that changes anything", async () => {
  const url = await serve();
  expect(await (await fetch(`${url}/?x=1`)).text()).toBe("<p>page</p>");
  for (const [path, method, status] of [["/runs", "GET", 404], ["/", "POST", 405], ["/healthz", "DELETE", 405]] as const) {
    const response = await fetch(`${url}${path}`, { method });
    expect([response.status, response.headers.get("content-type")]).toEqual([status, "application/problem+json"]);
    expect(await response.json()).toMatchObject({ status });
  }
  expect(await (await fetch(`${url}/`, { method: "HEAD" })).text()).toBe("");
});

test("a page that fails is a problem, not a stack", async () => {
  const url = await serve({ renderPage: async () => Promise.reject(new Error("secret")) });
  const response = await fetch(url);
  expect(response.status).toBe(500);
  expect(await response.text()).not.toContain("secret");
});

test("only hears its own names, with its own port", async () => {
  const url = await serve();
  const { port } = new URL(url);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, `LOCALHOST:${port}`]) expect(await get(url, host), host).toBe(200);
  for (const host of ["localhost", "127.0.0.1:1", `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, `localhost.evil:${port}`]) expect(await get(url, host), host).toBe(421);
});

test("a taken port is named, with who has it", async () => {
  const url = await serve();
  const port = Number(new URL(url).port);
  await expect(serve({ port })).rejects.toMatchObject({ code: "port_taken", message: `PORT ${port} on 127.0.0.1 is taken by a Bron with another home.` });
});

const view: StatusView = { version: "1.2.3", worker: "w-1", model: "demo/x", isDemo: true, database: "ready", overview: undefined, now: new Date("2026-11-15T12:00:00Z") };

test("the page counts runs in the words that people see, and takes no text for markup", () => {
  const run = { id: "3f9a1c20-1111-4222-8333-444455556666", title: "<script>alert(1)</script>", status: "awaiting_confirmation", createdAt: "2026-11-15T11:58:00Z" } as RunView;
  const page = renderStatusPage({ ...view, overview: { counts: { planning: 2, executing: 3, awaiting_confirmation: 1 }, newest: [run] } });
  expect(page).toContain("<b>5</b> running");
  expect(page).toContain("<b>1</b> needs approval");
  expect(page).toContain("&lt;script&gt;");
  expect(page).not.toContain("<script");
});

test("the page says so when there is nothing yet, and when the database is away", () => {
  expect(renderStatusPage({ ...view, overview: { counts: {}, newest: [] } })).toContain("No runs yet.");
  expect(renderStatusPage({ ...view, database: "not answering" })).toContain("not answering");
});
