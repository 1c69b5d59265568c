import type { Place } from "@bron/protocol";
import { readFolder, saveTrust } from "@bron/settings";
import { tempFolder } from "@bron/testing";
import { realpath, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callOnce, openMcp, smallProgram } from "./support/mcp-harness.ts";
import { startSmallHttpServer } from "./support/small-http-server.ts";

const lookup = callOnce("mcp/small/lookup", { name: "Eva" });

describe("a server that is a program", () => {
  it("BR28 starts nothing before the owner tests it or a task uses it", async () => {
    const mcp = await openMcp({ script: () => ({ text: "Hello." }) });
    await mcp.start();
    expect(await mcp.server("small")).toMatchObject({ state: "untested", tools: [], digest: null });
    expect(await mcp.notes()).toEqual([]);
  });

  it("BR28 shows its tools, and gives them to tasks only after the owner accepted them", async () => {
    const mcp = await openMcp({ script: lookup });
    expect(await mcp.test("small")).toMatchObject({
      state: "held",
      tools: [
        { name: "lookup", state: "new", hints: { readOnlyHint: true } },
        { name: "picture", state: "new" },
      ],
    });
    const before = await mcp.start();
    expect(await mcp.results(before)).toMatchObject([
      { outcome: "failed", error: { code: "unknown_tool" } },
    ]);
    await mcp.accept("small");
    expect(await mcp.server("small")).toMatchObject({ state: "running" });
  });

  it("BR28 asks before each call, whatever the server says about its tool, and calls it once", async () => {
    const mcp = await openMcp({ script: lookup });
    await mcp.accept("small");
    const run = await mcp.start();
    const [approval] = await mcp.client.list("GET /api/approvals", { pending: "true" });
    expect(approval).toMatchObject({
      tool: "mcp/small/lookup",
      reasons: [{ code: "server_not_allowed", server: "small" }],
    });
    expect(await mcp.notes()).toHaveLength(1);
    await mcp.approve();
    await mcp.toEnd(run);
    expect(await mcp.results(run)).toMatchObject([
      {
        outcome: "completed",
        output: "Eva sits in room 12",
        label: { trusted: false, private: true, readers: ["server:small"] },
      },
    ]);
    expect((await mcp.notes()).slice(1)).toEqual(['call lookup {"name":"Eva"}']);
  });

  it("BR28 runs without asking once a rule of the owner names the server", async () => {
    const mcp = await openMcp({ script: lookup });
    await mcp.accept("small");
    await mcp.allow("small");
    const run = await mcp.start();
    expect(await mcp.results(run)).toMatchObject([{ outcome: "completed" }]);
  });

  it("BR28 gives the program only the variables that its entry names", async () => {
    process.env["BRON_TEST_SECRET"] = "secret";
    const mcp = await openMcp({ script: lookup });
    await mcp.test("small");
    delete process.env["BRON_TEST_SECRET"];
    const [start = ""] = await mcp.notes();
    expect(start).toContain("PATH");
    expect(start).not.toContain("BRON_");
  });

  it("BR28 ends the program with the runtime", async () => {
    const mcp = await openMcp({ script: lookup });
    await mcp.test("small");
    const [, pid] = ((await mcp.notes())[0] ?? "").split(" ");
    expect(() => process.kill(Number(pid), 0)).not.toThrow();
    await mcp.runtime.close();
    expect(() => process.kill(Number(pid), 0)).toThrow("ESRCH");
  });

  it("BR28 keeps pictures as files, and links as text", async () => {
    const mcp = await openMcp({ script: callOnce("mcp/small/picture") });
    await mcp.accept("small");
    await mcp.allow("small");
    const run = await mcp.start();
    expect(await mcp.results(run)).toMatchObject([
      {
        output: {
          files: [{ name: "picture-1.png", mediaType: "image/png" }],
          links: [{ name: "More", uri: "https://evil.example/x" }],
        },
      },
    ]);
    const { artifacts } = await mcp.client.call("GET /api/runs/:id/artifacts", {
      params: { id: run },
    });
    expect(artifacts).toMatchObject([{ name: "picture-1.png", kind: "mcp_file" }]);
  });
});

describe("a server over HTTP", () => {
  it("BR28 works with the headers and variables of its entry", async () => {
    const small = await startSmallHttpServer();
    const mcp = await openMcp({
      script: lookup,
      variables: { SMALL_KEY: "k-1" },
      servers: {
        small: {
          type: "http",
          url: "${SMALL_URL:-" + small.url + "}",
          headers: { "x-key": "${SMALL_KEY}" },
        },
      },
    });
    await mcp.accept("small");
    await mcp.allow("small");
    const run = await mcp.start();
    expect(await mcp.results(run)).toMatchObject([{ output: "Eva sits in room 12" }]);
    expect(small.calls).toMatchObject([{ name: "lookup", headers: { "x-key": "k-1" } }]);
    await mcp.runtime.close();
    await small.close();
  });

  it("BR28 does not send its headers to another address", async () => {
    const [small, other] = await Promise.all([startSmallHttpServer(), startSmallHttpServer()]);
    small.redirectTo = other.url;
    const mcp = await openMcp({ script: lookup, servers: { small: { url: small.url } } });
    expect(await mcp.test("small")).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("redirects to another address"),
    });
    await Promise.all([small.close(), other.close()]);
  });
});

describe("a question of a server", () => {
  const open = async () => {
    const mcp = await openMcp({ script: lookup, mode: "asks" });
    await mcp.accept("small");
    await mcp.allow("small");
    const { id } = await mcp.client.call("POST /api/runs", { body: { prompt: "Look up Eva" } });
    const question = await mcp.nextQuestion();
    return { mcp, id, question };
  };

  it("BR28 goes to the owner, whose answer the running call gets", async () => {
    const { mcp, id, question } = await open();
    expect(question).toMatchObject({
      runId: id,
      text: "The MCP server small asks: Which city?\ncity",
      choices: ["Don't answer"],
    });
    await mcp.client.call("POST /api/questions/:id/answer", {
      params: { id: question.id },
      body: { typed: "Oslo" },
    });
    await mcp.toEnd(id);
    expect(await mcp.results(id)).toMatchObject([
      {
        outcome: "completed",
        output: 'The client said {"action":"accept","content":{"city":"Oslo"}}',
        label: { trusted: false },
      },
    ]);
    expect((await mcp.notes()).filter((line) => line.startsWith("call"))).toHaveLength(1);
  });

  it("BR28 can be declined", async () => {
    const { mcp, id, question } = await open();
    await mcp.client.call("POST /api/questions/:id/answer", {
      params: { id: question.id },
      body: { choice: 1 },
    });
    await mcp.toEnd(id);
    expect(await mcp.results(id)).toMatchObject([
      { output: 'The client said {"action":"decline"}' },
    ]);
  });

  it("BR28 is withdrawn when the task is canceled", async () => {
    const { mcp, id, question } = await open();
    await mcp.client.call("POST /api/runs/:id/cancel", { params: { id }, body: {} });
    await mcp.toEnd(id);
    const questions = await mcp.client.list("GET /api/questions", { runId: id });
    expect(questions).toMatchObject([{ id: question.id, state: "canceled" }]);
  });
});

describe("a server of a folder", () => {
  it("BR28 counts only in that folder, once its file is trusted, under a name of its own", async () => {
    const folder = await realpath(await tempFolder());
    const mcp = await openMcp({
      script: () => ({ text: "Done." }),
      servers: {},
      places: [{ machine: "here" }],
    });
    const path = join(folder, ".mcp.json");
    const servers = { small: { command: process.execPath, args: [smallProgram, "good"] } };
    await writeFile(path, JSON.stringify({ mcpServers: servers }));
    const list = async () => (await mcp.client.call("GET /api/mcp-servers")).servers;
    expect(await list()).toEqual([]);
    await saveTrust(mcp.home, await readFolder(folder, mcp.home), new Date());
    const [listed] = await list();
    const name = listed?.name ?? "";
    expect(listed).toMatchObject({ title: "small", folder, state: "untested" });
    expect(name).toMatch(/^[\w-]+-[0-9a-f]{6}\.small$/);
    await mcp.accept(name);
    const toolsOf = async (place?: Place) => {
      const { id } = await mcp.client.call("POST /api/runs", {
        body: { prompt: "Hello", ...(place ? { place } : {}) },
      });
      await mcp.toEnd(id);
      const sets: unknown[] = [];
      for await (const event of mcp.client.events(id))
        if (event.type === "tool_set") sets.push(event.payload);
      return JSON.stringify(sets);
    };
    expect(await toolsOf({ machine: "here", folder })).toContain(`mcp/${name}/lookup`);
    expect(await toolsOf()).not.toContain("mcp/");
    expect(await toolsOf({ machine: "here", folder: "/elsewhere" })).not.toContain("mcp/");
    await writeFile(path, JSON.stringify({ mcpServers: { small: { command: "evil" } } }));
    expect(await list()).toMatchObject([{ state: "untrusted", target: "" }]);
  });
});
