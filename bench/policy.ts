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
import { readingOf } from "../packages/core/src/intent/read-words.ts";
import { resolveIntent } from "../packages/core/src/intent/resolve-intent.ts";

const decisions = 20_000;
const comparisons = 2_000;
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

/** A long task with a request for each of twenty people, one of them dictated, and prohibitions. */
function longTask() {
  const sentences = Array.from(
    { length: asks },
    (_, at) => `Mail friend${at}@known.example about order ${at}, but nothing to firm${at}.`,
  );
  const mention = (words: string) => ({ text: "w1", words });
  const person = (words: string) => [{ mention: mention(words), means: "person" }];
  const output = {
    asks: sentences.map((sentence, at) => ({
      effect: "send_mail",
      words: mention(sentence),
      times: "once",
      people: person(`friend${at}@known.example`),
      things: [],
      fields: [],
      dictated: [],
    })),
    prohibitions: sentences.map((sentence, at) => ({
      effect: "send_mail",
      words: mention(sentence),
      people: person(`firm${at}`),
      things: [],
    })),
  };
  return {
    texts: [{ when: "now" as const, text: sentences.join(" ") }],
    readings: new Map([[1, output]]),
  };
}

/**
 * Measures one decision of the policy. It is made for each effect before its approval and again
 * before the effect starts. The first one also finds the requests in what a model has read, and
 * compares the effect with them. Calls of models and accounts are left out.
 */
export async function policy(_environment: Environment): Promise<BenchmarkResult> {
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
  const { texts, readings } = longTask();
  const contacts = new Map([...people].map((address) => [address, address.split("@")[0] ?? ""]));
  const comparedTimes: number[] = [];
  for (let at = 0; at < comparisons; at++) {
    const startedAt = performance.now();
    const reading = readingOf(texts, readings);
    if (reading === "unread") throw new Error("The reading of the benchmark has another form");
    const effect = facts(at);
    const intent = await resolveIntent(reading, {
      effect: "send_mail",
      facts: effect,
      find: () => Promise.resolve([]),
      findFiles: () => Promise.resolve([]),
      uploads: new Map(),
      contacts,
      used: new Set(),
      crossedOut: new Set(),
    });
    judge({ tool: "gmail_send", seenBy: "others", facts: effect, labels, rules, intent });
    comparedTimes.push(performance.now() - startedAt);
  }
  return {
    figures: [
      { name: "policy decision, p50", value: quantile(times, 0.5), unit: "ms" },
      {
        name: "policy decision, p99",
        value: quantile(times, 0.99),
        unit: "ms",
        bar: { atMost: 1 },
      },
      {
        name: `policy decision with a reading of ${asks} requests, p50`,
        value: quantile(comparedTimes, 0.5),
        unit: "ms",
      },
      {
        name: `policy decision with a reading of ${asks} requests, p99`,
        value: quantile(comparedTimes, 0.99),
        unit: "ms",
        bar: { atMost: 1 },
      },
    ],
  };
}
