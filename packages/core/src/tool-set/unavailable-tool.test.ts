import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";
import type { OpenAction } from "../run/state/run-state.ts";
import { whyUnavailable } from "./unavailable-tool.ts";

const tool = defineTool({
  name: "a",
  description: "Reads.",
  input: z.object({}),
  execute: () => "",
});
const read = { tool: "a", toolDigest: "then" } as OpenAction;
const asks = { ...read, question: { state: "pending" } } as OpenAction;
const effect = { ...read, effect: { approval: { state: "approved" } } } as OpenAction;
const proposed = { ...read, effect: { approval: { state: "pending" } } } as OpenAction;
const { toolDigest: _, ...earlier } = read;

it.each([
  ["a call of a log without digests", earlier, tool, "now", undefined],
  ["a call of the same tool", read, tool, "then", undefined],
  ["a call of a tool that changed", read, tool, "now", "tool_changed"],
  ["a call of a tool that is gone", read, tool, undefined, "tool_removed"],
  ["a question whose tool changed", asks, tool, "now", undefined],
  ["a question on a worker without the tool", asks, undefined, undefined, undefined],
  ["a call on a worker without the tool", read, undefined, undefined, "tool_removed"],
  ["an effect of a tool that an update changed", effect, tool, "now", undefined],
  ["an effect that waits, on a worker without the tool", proposed, undefined, undefined, undefined],
  ["an effect of a tool that is gone", effect, tool, undefined, "tool_removed"],
] as const)("decides whether %s can start", (_name, action, known, digest, code) => {
  const offered = new Map(digest === undefined ? [] : [["a", digest] as const]);
  expect(whyUnavailable(action, known, { offered, brought: new Set() })?.code).toBe(code);
});

it("starts no effect of a tool that the run brings and that changed", () => {
  const tools = { offered: new Map([["a", "now"]]), brought: new Set(["a"]) };
  expect(whyUnavailable(effect, tool, tools)?.code).toBe("tool_changed");
});
