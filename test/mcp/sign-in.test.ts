// Signing in to an MCP server by OAuth, which parks and continues a task.
import { describe, expect, it, onTestFinished } from "vitest";
import { ask } from "../support/http/ask.ts";
import { callOnce } from "./support/mcp-harness.ts";
import { serveBron } from "./support/served-bron.ts";
import { startSmallHttpServer } from "./support/small-http-server.ts";

async function open() {
  const small = await startSmallHttpServer();
  onTestFinished(() => small.close());
  const bron = await serveBron({
    script: callOnce("mcp/small/lookup", { name: "Eva" }),
    servers: { small: { url: small.url } },
  });
  const { owner } = bron;
  const test = () =>
    owner.call("POST /api/mcp-servers/:name/test", { params: { name: "small" }, body: {} });
  const {
    servers: [listed],
  } = await test();
  const body = { digest: listed?.digest ?? "" };
  await owner.call("POST /api/mcp-servers/:name/accept", { params: { name: "small" }, body });
  await owner.call("POST /api/permissions/rules", {
    body: { tool: "*", verdict: "allow", server: "small" },
  });
  const { port } = new URL(bron.server.url);
  const session = `bron_session_${port}=${await bron.session()}`;
  /** Signs in as a browser does. */
  const signIn = async (change: (callback: URL) => void = () => undefined) => {
    const begun = await ask(`${bron.server.url}/api/connections/mcp.small/connect`, {
      headers: { cookie: session, "sec-fetch-site": "none" },
    });
    expect(begun.status).toBe(303);
    const consent = new URL(String(begun.headers.location));
    const [connecting = ""] = begun.headers["set-cookie"] ?? [];
    const callback = new URL(consent.searchParams.get("redirect_uri") ?? "");
    callback.searchParams.set("state", consent.searchParams.get("state") ?? "");
    callback.searchParams.set("code", "code-1");
    change(callback);
    const headers = { cookie: connecting.split(";")[0] ?? "" };
    return {
      consent,
      response: await ask(callback.href, { headers }),
      repeat: () => ask(callback.href, { headers }),
    };
  };
  return { small, bron, owner, test, signIn };
}

describe("a server that asks for a sign-in", () => {
  it("BR28 parks the task until the owner signed in, and then the task goes on", async () => {
    const { small, owner, signIn } = await open();
    small.token = "access-1";
    await owner.call("POST /api/mcp-servers/:name/test", { params: { name: "small" }, body: {} });
    const { id } = await owner.call("POST /api/runs", { body: { prompt: "Look up Eva" } });
    for await (const _ of owner.events(id, { untilParked: true }));
    expect(await owner.call("GET /api/runs/:id", { params: { id } })).toMatchObject({
      status: "awaiting_auth",
      waitsFor: { kind: "sign_in" },
    });
    const { consent, response, repeat } = await signIn();
    expect(consent.pathname).toBe("/authorize");
    expect(consent.searchParams.get("code_challenge_method")).toBe("S256");
    expect(response).toMatchObject({ status: 200, text: expect.stringContaining("is connected") });
    for await (const _ of owner.events(id));
    expect(await owner.call("GET /api/runs/:id", { params: { id } })).toMatchObject({
      status: "completed",
    });
    expect(small.calls).toHaveLength(1);
    expect(small.signIns).toMatchObject({ "/register": 1, "/token": 1 });
    expect((await repeat()).status).toBe(403);
    const {
      servers: [view],
    } = await owner.call("GET /api/mcp-servers");
    expect(view).toMatchObject({ signedIn: true });
  });

  it("BR28 gets a new token when the old one is no longer accepted", async () => {
    const { small, owner, signIn } = await open();
    small.token = "access-1";
    await signIn();
    small.token = "access-2";
    const { id } = await owner.call("POST /api/runs", { body: { prompt: "Look up Eva" } });
    for await (const _ of owner.events(id));
    expect(small.calls).toMatchObject([{ headers: { authorization: "Bearer access-2" } }]);
  });

  it("BR28 takes no forged, changed or repeated callback", async () => {
    const { small, signIn } = await open();
    small.token = "access-1";
    const forged = await signIn((callback) => callback.searchParams.set("state", "AAAA"));
    expect(forged.response.status).toBe(403);
    const wrongCode = await signIn((callback) => callback.searchParams.set("code", "code-2"));
    expect(wrongCode.response.status).toBe(403);
    expect(wrongCode.response.text).toContain("connected");
  });
});
