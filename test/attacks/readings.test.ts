import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDemoModel, type DemoModelServer } from "@bron/demo-model";
import { chooseModels } from "@bron/models";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { mentionedOnly } from "./support/generated/recipients.ts";
import { createPick } from "./support/generated/pick.ts";
import { excluded } from "./support/generated/asks.ts";
import { ordinaryTasks } from "./support/ordinary/ordinary-tasks.ts";
import { toCase } from "./support/ordinary/ordinary-case.ts";
import { playCase } from "./support/play-case.ts";
import { collectReadings, type ReadingCase } from "./support/readings/reading-requests.ts";
import { recordReadings } from "./support/readings/record-readings.ts";
import { loadRecordings, recordedReader } from "./support/readings/recordings.ts";
import { reportReadings } from "./support/readings/report-readings.ts";

const outage = Symbol("outage");
const bounds = { requests: 100, tokens: 10_000_000, microusd: 1_000_000, ms: 60_000 };

describe("X3 readings of a model", () => {
  const attackCases = [1, 2, 3].flatMap((seed) => [
    mentionedOnly(createPick(seed)),
    excluded(createPick(seed)),
  ]);
  let attacks: ReadingCase[];
  let benign: ReadingCase[];
  let all: ReadingCase[];
  /** What the provider returns for a prompt. By default the right reading. */
  let answers: Map<string, unknown>;
  let asked: string[];
  let server: DemoModelServer;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    attacks = await collectReadings(attackCases);
    benign = await collectReadings(ordinaryTasks.slice(0, 4).map(toCase));
    all = [...attacks, ...benign];
    const right = new Map(all.map((one) => [one.prompt, one.right]));
    // This server speaks Gemini's protocol and checks schemas as Gemini does.
    server = await startDemoModel({
      reader(prompt) {
        asked.push(prompt);
        if (answers.get(prompt) === outage) throw new Error("The provider is away");
        return answers.has(prompt) ? answers.get(prompt) : right.get(prompt);
      },
    });
    folder = await mkdtemp(join(tmpdir(), "bron-readings-"));
  });
  beforeEach(() => {
    answers = new Map();
    asked = [];
    file = join(folder, `${crypto.randomUUID()}.json`);
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function record(more: Partial<typeof bounds> = {}, model = "gemini-3.1-flash-lite") {
    const { main } = chooseModels({ model, geminiApiKey: "key", geminiBaseUrl: server.url });
    const said: string[] = [];
    const recordings = await recordReadings(all, {
      model: { ...main, name: `gemini/${model}` },
      file,
      bounds: { ...bounds, ...more },
      before: await loadRecordings(file),
      onProgress: (message) => said.push(message),
    });
    return { recordings, said };
  }
  const first = <T>(list: readonly T[]): T => {
    const [one] = list;
    if (one === undefined) throw new Error("The list is empty");
    return one;
  };

  it("are recorded with what they cost, and asked for once", async () => {
    const { recordings } = await record();
    expect(asked.toSorted()).toEqual(all.map(({ prompt }) => prompt).toSorted());
    expect(await loadRecordings(file)).toEqual(recordings);
    const { calls, inputTokens, outputTokens, costMicrousd, latencyMs } = first(
      Object.values(recordings.readings),
    );
    expect(calls).toBe(1);
    for (const count of [inputTokens, outputTokens, costMicrousd, latencyMs])
      expect(count).toBeGreaterThan(0);
    asked = [];
    await record();
    expect(asked).toEqual([]);
    const { lines, isPassed } = reportReadings(recordings, { attacks, benign });
    expect(lines.slice(0, 3)).toEqual([
      expect.stringMatching(/^Read by gemini\/gemini-3.1-flash-lite, recorded on \d{4}-\d\d-\d\d$/),
      `attack wordings: ${attacks.length}, read ${attacks.length}, missing 0, of another form 0, wrong recipients 0, more than asked for 0, prohibitions lost 0`,
      `benign tasks: ${benign.length}, read ${benign.length}, missing 0, of another form 0, wrong recipients 0, more than asked for 0, prohibitions lost 0, ${benign.length} in full (100.0 %)`,
    ]);
    // Six wordings are too few to prove anything.
    expect(isPassed).toBe(false);
  });

  it("count a sender who was read as a recipient, a lost request and a lost prohibition", async () => {
    const mentioned = attacks.find(({ prompt, right }) => {
      const { asks } = right as { asks: unknown[] };
      return prompt.includes("?") && asks.length === 0;
    });
    const forbidding = attacks.find(
      ({ right }) => (right as { prohibitions: unknown[] }).prohibitions.length > 0,
    );
    const ordinary = first(benign);
    if (!mentioned || !forbidding) throw new Error("The generators made no such case");
    const [{ text }] = JSON.parse(mentioned.prompt) as [{ text: string }];
    const [person = ""] = /\S+@\S+\w|(?<=\s)[A-Z]\p{L}+/u.exec(text) ?? [];
    answers.set(mentioned.prompt, {
      asks: [
        {
          effect: "send_mail",
          words: { text: "w1", words: text },
          times: "once",
          people: [{ mention: { text: "w1", words: person }, means: "person" }],
          things: [],
          fields: [],
          dictated: [],
        },
      ],
      prohibitions: [],
    });
    answers.set(forbidding.prompt, { ...(forbidding.right as object), prohibitions: [] });
    answers.set(ordinary.prompt, { asks: [], prohibitions: [] });
    const { recordings } = await record();
    const { lines } = reportReadings(recordings, { attacks, benign });
    expect(lines[1]).toContain("wrong recipients 1, more than asked for 1, prohibitions lost 1");
    expect(lines[2]).toContain(`${benign.length - 1} in full`);
    expect(lines.join("\n")).toContain(
      `wrong recipient: mentioned, not meant: send_mail: ${person}`,
    );
  });

  it("are repaired as in the product, and not recorded while the model is away", async () => {
    const [broken, away] = attacks;
    if (!broken || !away) throw new Error("There are too few cases");
    answers.set(broken.prompt, { asks: "none" });
    answers.set(away.prompt, outage);
    const { recordings, said } = await record();
    expect(asked.filter((prompt) => prompt === away.prompt)).toHaveLength(2);
    expect(recordings.readings[broken.digest]).toMatchObject({ calls: 2, output: { asks: [] } });
    expect(recordings.readings).not.toHaveProperty([away.digest]);
    expect(said).toEqual([`No reading (model_unavailable): ${away.prompt}`]);
    const { lines, isPassed } = reportReadings(recordings, { attacks, benign });
    expect(lines[1]).toContain(`read ${attacks.length - 1}, missing 1`);
    expect(isPassed).toBe(false);
  });

  it("end at the limits of requests, tokens, money and time", async () => {
    await record({ requests: 2 });
    expect(asked).toHaveLength(2);
    asked = [];
    // A twentieth of it does not cover one call.
    const { said } = await record({ microusd: 1_000 });
    expect(asked).toEqual([]);
    expect(said.join("\n")).toContain("budget_exhausted");
    const { said: afterFirst } = await record({ tokens: 1 });
    // Each lane may have one request under way.
    expect(asked.length).toBeLessThanOrEqual(4);
    expect(afterFirst).toContainEqual(expect.stringMatching(/^Ended at the limit of tokens/));
    const { said: ended } = await record({ ms: 0 });
    expect(ended).toContainEqual(expect.stringMatching(/^Ended at the limit of time/));
  });

  it("replay in the product without a model, and a missing one is said", async () => {
    await record();
    const one = toCase(first(ordinaryTasks));
    const setting = { level: "autonomous", approver: "absent" } as const;
    const right = await playCase(one, setting);
    expect(right.approvals).toEqual([]);
    const replayed = recordedReader(await loadRecordings(file));
    const played = await playCase(one, { ...setting, reader: replayed.reader });
    expect([...replayed.missing]).toEqual([]);
    expect(played.approvals).toEqual([]);
    expect(played.record.done).toHaveLength(right.record.done.length);
    const text = await readFile(file, "utf8");
    const { digest } = first(benign);
    await writeFile(file, text.replace(String(digest), "sha256:other"));
    const empty = recordedReader(await loadRecordings(file));
    const asking = await playCase(one, { ...setting, reader: empty.reader });
    expect([...empty.missing]).toEqual([digest]);
    expect(asking.approvals.flatMap(({ risks }) => risks)).toContainEqual(
      expect.objectContaining({ why: { code: "words_not_read" } }),
    );
    expect(await loadRecordings(join(folder, "none.json"))).toBeUndefined();
  });
});
