import { createLoopHarness, type LoopHarness, type ScriptedMessage } from "@bron/testing";
import { omitUndefined, type JsonObject } from "@bron/protocol";
import type { ModelPrice } from "../ports/model.ts";
import { defaultRules, type PolicyRules } from "../policy/permissions/rules.ts";
import { childRunTools } from "./child-run-tools.ts";
import type { Tool } from "../tool/tool.ts";

export const ownerId = "local";

export interface Scripts {
  /** What the parent does, step by step. It sees the results so far. */
  readonly parent: (turn: number, results: readonly JsonObject[]) => ScriptedMessage;
  /** What a child run does, by its task. */
  readonly child: (task: string, turn: number, results: readonly JsonObject[]) => ScriptedMessage;
}

/**
 * A parent and its child runs on one store. `settle` advances every runnable run, as workers do.
 */
export function openHarness(
  { parent, child }: Scripts,
  more: readonly Tool[] = [],
  {
    price,
    rules = defaultRules,
  }: { readonly price?: ModelPrice; readonly rules?: PolicyRules } = {},
) {
  const tools: Tool[] = [];
  const harness: LoopHarness = createLoopHarness({
    script: ({ options }) => {
      const turn = options.prompt.filter(({ role }) => role === "assistant").length;
      const words = options.prompt.flatMap((message) =>
        message.role === "user"
          ? message.content.flatMap((one) => (one.type === "text" ? [one.text] : []))
          : [],
      );
      const results = options.prompt.flatMap((message) =>
        message.role === "tool"
          ? message.content.flatMap((one) =>
              one.type === "tool-result" && one.output.type === "json"
                ? [one.output.value as JsonObject]
                : [],
            )
          : [],
      );
      const task = words[0] ?? "";
      return task === "do it" ? parent(turn, results) : child(task, turn, results);
    },
    tools,
    ...omitUndefined({ price }),
    deps: { permissions: { rules: () => Promise.resolve(rules) } },
  });
  tools.push(...childRunTools({ runs: harness.store.runs }), ...more);
  const settle = async () => {
    for (let moved = true; moved;) {
      moved = (await harness.store.runs.notifyParents()) > 0;
      for (const { id, runnable } of await harness.store.runs.list(ownerId, {}))
        if (runnable) moved = typeof (await harness.advance(id)) === "string" || moved;
    }
  };
  return { harness, settle };
}

export const spawn = (title: string, more: JsonObject = {}) => ({
  tool: "spawn_bron",
  input: { title, prompt: `part: ${title}`, ...more },
});
export const waitFor = (results: readonly JsonObject[]) =>
  results
    .filter((result) => "title" in result)
    .map(({ runId }) => ({ tool: "await_bron", input: { runId } }));
