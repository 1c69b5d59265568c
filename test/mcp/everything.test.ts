// The official everything server, which uses every part of the protocol.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openMcp } from "./support/mcp-harness.ts";

const manifest = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/package.json",
);
const program = join(dirname(manifest), "dist", "index.js");

describe("the official everything server", () => {
  it("BR28 is listed, accepted and called, and its content arrives", async () => {
    const calls = [
      { tool: "mcp/everything/echo", input: { message: "hello" } },
      { tool: "mcp/everything/get-sum", input: { a: 2, b: 3 } },
      { tool: "mcp/everything/get-tiny-image", input: {} },
      { tool: "mcp/everything/get-structured-content", input: { location: "Chicago" } },
      { tool: "mcp/everything/get-annotated-message", input: { messageType: "error" } },
      { tool: "mcp/everything/get-resource-links", input: { count: 2 } },
      { tool: "mcp/everything/echo", input: { message: 7 } },
    ];
    const mcp = await openMcp({
      servers: { everything: { command: process.execPath, args: [program, "stdio"] } },
      script: ({ turn }) => {
        const call = calls[turn];
        return call ? { calls: [call] } : { text: "Done." };
      },
    });
    const { tools, notes } = await mcp.test("everything");
    expect(notes).toEqual([]);
    expect(tools.map(({ name }) => name)).toContain("echo");
    expect(tools.every(({ state }) => state === "new")).toBe(true);
    // It offers a tool that asks for text of a model only to clients that allow it.
    expect(tools.map(({ name }) => name)).not.toContain("trigger-sampling-request");
    await mcp.accept("everything");
    await mcp.allow("everything");
    const run = await mcp.start();
    const results = await mcp.results(run);
    expect(results.map(({ outcome }) => outcome)).toEqual([
      ...Array.from({ length: 6 }, () => "completed"),
      "failed",
    ]);
    expect(JSON.stringify(results[0]?.["output"])).toContain("hello");
    expect(JSON.stringify(results[1]?.["output"])).toContain("5");
    expect(results[2]?.["output"]).toMatchObject({ files: [{ mediaType: "image/png" }] });
    expect(results[3]?.["output"]).toHaveProperty("data");
    expect(results[5]?.["output"]).toHaveProperty("links");
  });
});
