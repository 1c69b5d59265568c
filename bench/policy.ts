import {
  defaultRules,
  judge,
  noLabels,
  withResult,
  withOwnerWords,
  type JudgeInput,
} from "@bron/core";
import type { Label } from "@bron/protocol";
import type { Environment } from "./support/environment.ts";
import { quantile, type BenchmarkResult } from "./support/figures.ts";

const decisions = 20_000;
const sources = 200;
const label: Label = {
  origin: "mail",
  trusted: false,
  private: true,
  readers: ["jonas@lindqvist.example"],
};

/**
 * The labels of a run that has read a lot: two hundred results with thousands of addresses and
 * hosts, and a task of a page.
 */
function longRunLabels(): JudgeInput["labels"] {
  const words = `${"Look through my mail of the quarter and tell everybody who is owed an answer. ".repeat(20)} Send it to jonas@lindqvist.example.`;
  let labels = withOwnerWords(noLabels, words);
  for (let at = 0; at < sources; at++) {
    const text = Array.from(
      { length: 20 },
      (_, one) =>
        `person${at}-${one}@firm${at}.example wrote about https://host${at}-${one}.example/x`,
    ).join("\n");
    labels = withResult(labels, {
      tool: "gmail_thread_read",
      actionId: `action-${at}`,
      label,
      value: { text },
    });
  }
  return labels;
}

const asks = 20;

/** What a long task asks for, of twenty people, and what it forbids. */
function longIntent(): Exclude<JudgeInput["intent"], "unread" | undefined> {
  const people = Array.from({ length: asks }, (_, at) => `friend${at}@known.example`);
  const nothing: ReadonlySet<string> = new Set();
  return {
    effect: "send_mail",
    asks: people.map((address, at) => ({
      key: `w1:${at * 20}-${at * 20 + 19}:send_mail`,
      order: 0,
      effect: "send_mail",
      words: `Mail ${address} about order ${at}.`,
      times: "once",
      people: new Set([address]),
      byReference: nothing,
      things: nothing,
      fields: [],
      dictated: at % 4 === 0 ? [`The order ${at} is ready.`] : [],
    })),
    prohibitions: people.map((_, at) => ({
      order: 0,
      effect: "send_mail",
      words: `Mail nothing to firm${at}.`,
      people: nothing,
      names: [`firm${at}`],
      things: nothing,
      content: `firm${at}`,
      hasUnknownPeople: true,
      hasUnknownPages: false,
      isGeneral: false,
    })),
    used: nothing,
    crossedOut: nothing,
  };
}

/**
 * Measures one decision of the policy. It is made for each effect before its approval and again
 * before the effect starts. The first one also compares the effect with what the words ask for.
 */
export function policy(_environment: Environment): Promise<BenchmarkResult> {
  const labels = longRunLabels();
  const people = new Set(Array.from({ length: 500 }, (_, at) => `friend${at}@known.example`));
  const rules: JudgeInput["rules"] = {
    ...defaultRules,
    trustLevel: "autonomous",
    people,
    domains: new Set(["lindqvist.example", "known.example"]),
    rules: Array.from({ length: 50 }, (_, at) => ({
      tool: `tool_${at}`,
      verdict: "ask" as const,
      ofBron: at % 2 === 0,
    })),
  };
  const facts = (at: number): JudgeInput["facts"] => ({
    kind: "mail",
    account: "mara@lindqvist.example",
    recipients: [
      { address: "jonas@lindqvist.example", role: "to" },
      { address: `person${at % sources}-1@firm${at % sources}.example`, role: "cc" },
      { address: "jonas@lindqvlst.example", role: "bcc" },
    ],
    hosts: [`host${at % sources}-2.example`],
    attachments: [{ filename: "a.pdf", digest: `sha256:${"0".repeat(64)}` }],
    warnings: [],
  });
  const times: number[] = [];
  for (let at = 0; at < decisions; at++) {
    const startedAt = performance.now();
    judge({ tool: "gmail_send", seenBy: "others", facts: facts(at), labels, rules });
    times.push(performance.now() - startedAt);
  }
  const intent = longIntent();
  const comparedTimes: number[] = [];
  for (let at = 0; at < decisions; at++) {
    const startedAt = performance.now();
    judge({
      tool: "gmail_send",
      effectKind: "send_mail",
      seenBy: "others",
      facts: facts(at),
      labels,
      rules,
      intent,
    });
    comparedTimes.push(performance.now() - startedAt);
  }
  return Promise.resolve({
    figures: [
      { name: "policy decision, p50", value: quantile(times, 0.5), unit: "ms" },
      {
        name: "policy decision, p99",
        value: quantile(times, 0.99),
        unit: "ms",
        bar: { atMost: 1 },
      },
      {
        name: `policy decision with ${asks} requests, p50`,
        value: quantile(comparedTimes, 0.5),
        unit: "ms",
      },
      {
        name: `policy decision with ${asks} requests, p99`,
        value: quantile(comparedTimes, 0.99),
        unit: "ms",
        bar: { atMost: 1 },
      },
    ],
  });
}
