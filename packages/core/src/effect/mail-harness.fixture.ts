import { createLoopHarness, readEverything, type LoopHarness } from "@bron/testing";
import { z } from "zod";
import type { EffectFacts } from "../policy/effect-facts.ts";
import { defaultRules } from "../policy/permissions/rules.ts";
import { defineTool } from "../tool/define-tool.ts";
import { fold } from "../run/state/fold.ts";
import { emptyRunState } from "../run/state/run-state.ts";

/** A model that sends a mail to each of these addresses, in one step each. "" ends a run. */
export function mailHarness(to: readonly string[]) {
  const readings: string[] = [];
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({ to: z.string() }),
    sideEffect: true,
    effectKind: "send_mail",
    facts: (prepared: { to: string }): EffectFacts => ({
      kind: "mail",
      account: "mara@lindqvist.example",
      recipients: [{ address: prepared.to, role: "to" }],
      hosts: [],
      attachments: [],
      warnings: [],
    }),
    execute: () => "sent",
  });
  const loop = createLoopHarness({
    script: ({ turn }) =>
      to[turn] ? { calls: [{ tool: "send", input: { to: to[turn] } }] } : { text: "Done." },
    reader: (prompt) => (readings.push(prompt), readEverything(prompt)),
    tools: [send],
    deps: {
      permissions: { rules: () => Promise.resolve({ ...defaultRules, trustLevel: "autonomous" }) },
    },
  });
  return { ...loop, readings };
}

export const labelsOf = async (loop: LoopHarness, runId: string) =>
  (await loop.events(runId)).reduce(
    (state, event) => fold(state, event, Date.parse(event.createdAt)),
    emptyRunState,
  ).labels;
