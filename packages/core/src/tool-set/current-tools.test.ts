import { expect, it } from "vitest";
import { z } from "zod";
import { byteLength } from "../context/model-messages.ts";
import type { RunHeader } from "../ports/runs/run-log.ts";
import { defineTool } from "../tool/define-tool.ts";
import { extendModelNames } from "../tool/tool-names.ts";
import { createCurrentTools } from "./current-tools.ts";
import { emptyRunState } from "../run/state/run-state.ts";
import { resolveTools } from "./run-tools.ts";

const toolNamed = (name: string, description = "Reads.") =>
  defineTool({ name, description, input: z.object({}), execute: () => "" });

/** A run reserves money for a call by this bound, before it knows the declarations. */
it("X6 bounds the bytes of what the model is offered, under aliases and after a change", async () => {
  const run = { bronTools: null } as RunHeader;
  let brought = [toolNamed("brought")];
  const deps = {
    tools: new Map(["a.b", "a/b", "a:b"].map((name) => [name, toolNamed(name)])),
    toolSources: [{ isLive: true, toolsFor: () => Promise.resolve(brought) }],
  };
  const tools = await resolveTools(deps, run, undefined);
  const current = createCurrentTools(deps, { run, state: emptyRunState, tools });
  const declaredBytes = () => {
    const { offered: toolSet } = current.now();
    const modelNames = extendModelNames(new Map(), toolSet.keys());
    return byteLength(current.declarations({ ...emptyRunState, toolSet, modelNames }));
  };
  const before = declaredBytes();
  expect(current.bytes()).toBeGreaterThanOrEqual(before);
  brought = [toolNamed("brought", "Reads. ".repeat(100))];
  await current.refresh();
  expect(declaredBytes()).toBeGreaterThan(before);
  expect(current.bytes()).toBeGreaterThanOrEqual(declaredBytes());
});
