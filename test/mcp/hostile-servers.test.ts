import { describe, expect, it } from "vitest";
import { callOnce, mcpOwner, openMcp } from "./support/mcp-harness.ts";
import { startSmallHttpServer } from "./support/small-http-server.ts";
import type { SmallServerMode } from "./support/small-server.ts";

const lookup = callOnce("mcp/small/lookup", { name: "Eva" });

/** A server whose tools the owner accepted and allowed, and that then behaves otherwise. */
async function openAllowed(mode: SmallServerMode, timeout = 1_000) {
  const mcp = await openMcp({ script: lookup, mode, timeout });
  await mcp.accept("small");
  await mcp.allow("small");
  return mcp;
}

describe("a server that breaks during a call", () => {
  it.each([
    ["hang", "No response within 1 seconds"],
    ["die", "onnection closed"],
    ["flood", "onnection closed"],
    ["long", "onnection closed"],
  ] as const)(
    "BR28 that has the mode %s leaves an unknown outcome, and is not called again",
    async (mode, why) => {
      const mcp = await openAllowed(mode, mode === "hang" ? 1_000 : 10_000);
      const run = await mcp.start();
      expect(await mcp.results(run)).toMatchObject([
        { outcome: "unknown", error: { code: "effect_unknown" }, label: { trusted: true } },
      ]);
      const [unclear] = await mcp.logsOf(run, "effect_unclear");
      expect(JSON.stringify(unclear)).toContain(why);
      expect((await mcp.notes()).filter((line) => line.startsWith("call"))).toHaveLength(1);
    },
  );

  it("BR28 is started again for the next call, and not while it waits after a failure", async () => {
    const mcp = await openAllowed("die");
    await mcp.start();
    expect(await mcp.server("small")).toMatchObject({
      state: "failed",
      problem: "The program ended: out of cheese",
    });
    await mcp.setMode("good");
    expect(await mcp.test("small")).toMatchObject({ state: "running", problem: null });
    const run = await mcp.start();
    expect(await mcp.results(run)).toMatchObject([{ outcome: "completed" }]);
  });

  it("BR28 that cuts the connection over HTTP leaves an unknown outcome", async () => {
    const small = await startSmallHttpServer();
    const mcp = await openMcp({ script: lookup, servers: { small: { url: small.url } } });
    await mcp.accept("small");
    await mcp.allow("small");
    small.mode = "die";
    const run = await mcp.start();
    expect(await mcp.results(run)).toMatchObject([{ outcome: "unknown" }]);
    await small.close();
    const after = await mcp.start();
    expect(await mcp.results(after)).toMatchObject([{ outcome: "failed" }]);
  });
});

describe("a server that cannot be used", () => {
  it.each([["die_at_start", "The program ended: out of cheese"]] as const)(
    "BR28 that has the mode %s says why",
    async (mode, problem) => {
      const mcp = await openMcp({ script: lookup, mode });
      expect(await mcp.test("small")).toMatchObject({ state: "failed", problem });
    },
  );

  it("BR28 says which program is missing", async () => {
    const servers = { small: { command: "no-such-program-here" } };
    const mcp = await openMcp({ script: lookup, servers });
    expect(await mcp.test("small")).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("The program no-such-program-here was not found."),
    });
  });

  it("BR28 says which variable is missing, and never passes on Bron's own", async () => {
    const servers = {
      missing: { command: "x", env: { KEY: "${NOT_SET}" } },
      secret: { command: "x", args: ["${BRON_SECRET_KEY}"] },
      plain: { url: "http://example.com/mcp" },
      old: { type: "sse", url: "https://example.com" },
    };
    const mcp = await openMcp({ script: lookup, servers, variables: { BRON_SECRET_KEY: "k" } });
    const { servers: listed } = await mcp.client.call("GET /api/mcp-servers");
    expect(listed.map(({ name, state, problem }) => [name, state, problem])).toEqual([
      ["missing", "invalid", expect.stringContaining("Not set: NOT_SET.")],
      ["secret", "invalid", expect.stringContaining("BRON_SECRET_KEY is Bron's own")],
      ["plain", "invalid", expect.stringContaining("must start with https://")],
      ["old", "invalid", expect.stringContaining("SSE transport")],
    ]);
  });
});

describe("a server that cheats", () => {
  it("BR28 and answers twice is heard once", async () => {
    const mcp = await openAllowed("twice");
    const run = await mcp.start();
    expect(await mcp.results(run)).toMatchObject([{ output: "Eva sits in room 12" }]);
  });

  it("BR28 and prints other lines is still understood", async () => {
    const mcp = await openAllowed("noise");
    const run = await mcp.start();
    expect(await mcp.results(run)).toMatchObject([{ output: "Eva sits in room 12" }]);
  });

  it("BR28 and offers 500 tools is cut to 100", async () => {
    const mcp = await openMcp({ script: lookup, mode: "many" });
    const { tools, notes } = await mcp.test("small");
    expect(tools).toHaveLength(100);
    expect(notes).toEqual(["The server has more than 100 tools. The others are not used."]);
  });

  it("BR28 and uses names of Bron's tools or one name twice replaces nothing", async () => {
    const mcp = await openMcp({ script: callOnce("gmail_send", {}), mode: "shadow" });
    const { tools, notes } = await mcp.test("small");
    expect(tools.map(({ name }) => name)).toEqual(["gmail_send", "lookup"]);
    expect(notes).toEqual(['There are two tools named "lookup". Only the first is used.']);
    await mcp.accept("small");
    await mcp.allow("small");
    const run = await mcp.start();
    expect(await mcp.results(run)).toMatchObject([{ error: { code: "unknown_tool" } }]);
  });

  it("BR28 and has an input that cannot be checked keeps its other tools", async () => {
    const mcp = await openAllowed("broken_schema");
    expect((await mcp.server("small")).tools.map(({ name, state }) => [name, state])).toEqual([
      ["bad", "unusable"],
      ["lookup", "accepted"],
    ]);
    const run = await mcp.start();
    expect(await mcp.results(run)).toMatchObject([{ outcome: "completed" }]);
  });

  it("BR28 and asks for text of a model is refused", async () => {
    const mcp = await openAllowed("samples");
    const run = await mcp.start();
    expect(await mcp.results(run)).toMatchObject([{ output: 'The client said "an error"' }]);
  });

  it("BR28 and answers with an error fails the call, and its words stay untrusted", async () => {
    const mcp = await openAllowed("error");
    const run = await mcp.start();
    const [result] = await mcp.results(run);
    expect(result).toMatchObject({
      outcome: "failed",
      error: { message: expect.stringContaining("No such person") },
    });
    expect(result?.["label"]).not.toMatchObject({ trusted: true });
  });
});

describe("a definition that changes after the owner accepted it", () => {
  it.each(["changed", "renamed"] as const)(
    "BR28 (%s) is held with its diff, and is not called",
    async (mode) => {
      const mcp = await openMcp({ script: lookup });
      await mcp.accept("small");
      await mcp.allow("small");
      await mcp.runtime.close();
      await mcp.setMode(mode);
      const again = await mcp.reopen();
      // The change is found when the server is started for the call.
      const run = await again.start();
      expect(await again.results(run)).toMatchObject([
        { outcome: "failed", error: { message: expect.stringContaining("since you accepted it") } },
      ]);
      expect((await again.notes()).filter((line) => line.startsWith("call"))).toEqual([]);
      const { state, tools } = await again.server("small");
      expect(state).toBe("held");
      const shown = tools.map((tool) => [tool.name, tool.state, tool.accepted?.description]);
      expect(shown).toEqual(
        mode === "changed"
          ? [
              ["lookup", "changed", "Looks up a person."],
              ["picture", "accepted", undefined],
            ]
          : [
              ["find", "new", undefined],
              ["picture", "accepted", undefined],
              ["lookup", "gone", undefined],
            ],
      );
      const next = await again.start();
      expect(await again.results(next)).toMatchObject([{ error: { code: "unknown_tool" } }]);
      await again.accept("small");
      const accepted = await again.start();
      expect(await again.results(accepted)).toMatchObject([
        mode === "changed" ? { outcome: "completed" } : { error: { code: "unknown_tool" } },
      ]);
    },
  );

  it("BR28 is accepted only as the owner saw it", async () => {
    const mcp = await openMcp({ script: lookup });
    const { digest } = await mcp.test("small");
    await mcp.runtime.close();
    await mcp.setMode("changed");
    const again = await mcp.reopen();
    await again.test("small");
    const accept = again.client.call("POST /api/mcp-servers/:name/accept", {
      params: { name: "small" },
      body: { digest: digest ?? "" },
    });
    await expect(accept).rejects.toMatchObject({ code: "conflict" });
  });

  it("BR28 of another program under the same name counts for nothing", async () => {
    const mcp = await openMcp({ script: lookup });
    await mcp.accept("small");
    await mcp.allow("small");
    await mcp.runtime.close();
    const again = await mcp.reopen({ small: { command: "another-program" } });
    expect(await again.server("small")).toMatchObject({ state: "untested", tools: [] });
    const run = await again.start();
    expect(await again.results(run)).toMatchObject([{ error: { code: "unknown_tool" } }]);
  });
});

describe("who may do what", () => {
  it("BR28 shows and gives the servers to their owner only", async () => {
    const mcp = await openMcp({ script: lookup });
    await mcp.accept("small");
    const stranger = mcp.runtime.clientFor("stranger");
    expect(await stranger.call("GET /api/mcp-servers")).toEqual({ servers: [] });
    const test = stranger.call("POST /api/mcp-servers/:name/test", {
      params: { name: "small" },
      body: {},
    });
    await expect(test).rejects.toMatchObject({ code: "not_found" });
  });

  it("BR28 lets no token add or accept a server, and only a terminal add a command", async () => {
    const mcp = await openMcp({ script: lookup });
    const { digest } = await mcp.test("small");
    const caller = {
      ownerId: mcpOwner,
      scopes: ["read", "run", "manage", "approve", "speak"] as const,
      email: null,
    };
    const token = mcp.runtime.clientFor({ ...caller, via: "token", tokenName: "CI" });
    const browser = mcp.runtime.clientFor({ ...caller, via: "link" });
    const refused = { code: "forbidden" };
    await expect(
      token.call("POST /api/mcp-servers/:name/accept", {
        params: { name: "small" },
        body: { digest: digest ?? "" },
      }),
    ).rejects.toMatchObject(refused);
    const web = { name: "web", url: "https://example.com/mcp" };
    const command = { name: "command", command: "sh" };
    await expect(token.call("POST /api/mcp-servers", { body: web })).rejects.toMatchObject(refused);
    await expect(browser.call("POST /api/mcp-servers", { body: command })).rejects.toMatchObject(
      refused,
    );
    const { servers } = await browser.call("POST /api/mcp-servers", { body: web });
    expect(servers.map(({ name }) => name)).toEqual(["small", "web"]);
    await mcp.client.call("DELETE /api/mcp-servers/:name", { params: { name: "web" } });
    expect(
      (await mcp.client.call("GET /api/audit", { query: { what: "mcp_server" } })).audit,
    ).toMatchObject([
      { what: "mcp_server.removed", details: { server: "web" } },
      { what: "mcp_server.added", details: { server: "web" } },
    ]);
  });
});
