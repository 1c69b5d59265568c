import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gmail } from "@googleapis/gmail";
import {
  createClient,
  encode,
  failureOf,
  signIn,
  withSimulator,
} from "../google-client.fixture.ts";

const me = { userId: "me" } as const;
const raw = (subject: string) =>
  encode("To: jonas@lindqvist.example", `Subject: ${subject}`, "", "x");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bron-world-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a simulator with a folder", () => {
  test("keeps mail, drafts, labels, sign-in, settings and record after a restart", async () => {
    const before = await withSimulator({ folder }, async (simulator) => {
      const { gmail: client, auth } = await signIn(simulator);
      const sent = (await client.users.messages.send({ ...me, requestBody: { raw: raw("Kept") } }))
        .data;
      const draft = (
        await client.users.drafts.create({
          ...me,
          requestBody: { message: { raw: raw("Waiting") } },
        })
      ).data;
      const seeded = (await client.users.messages.list({ ...me, q: "from:brandt-metall.example" }))
        .data.messages?.[0];
      await client.users.messages.modify({
        ...me,
        id: seeded?.id ?? "",
        requestBody: { addLabelIds: ["STARRED"] },
      });
      simulator.control.changeSettings({ sentLagMs: 1 });
      const profile = (await client.users.getProfile(me)).data;
      return {
        credentials: auth.credentials,
        secret: simulator.clientSecret,
        sent,
        draft,
        seeded,
        profile,
        record: simulator.record(),
      };
    });
    await withSimulator({ folder, seed: 99 }, async (simulator) => {
      expect(simulator.clientSecret).toBe(before.secret);
      const auth = createClient(simulator);
      auth.setCredentials(before.credentials);
      const client = gmail({ version: "v1", auth, rootUrl: simulator.googleEndpoints.rootUrl });
      expect((await client.users.getProfile(me)).data).toEqual(before.profile);
      expect(
        (await client.users.messages.get({ ...me, id: before.sent.id ?? "" })).data.threadId,
      ).toBe(before.sent.threadId);
      expect(
        (await client.users.drafts.get({ ...me, id: before.draft.id ?? "" })).data.message?.id,
      ).toBe(before.draft.message?.id);
      expect(
        (await client.users.messages.get({ ...me, id: before.seeded?.id ?? "", format: "minimal" }))
          .data.labelIds,
      ).toContain("STARRED");
      expect(simulator.record().sent).toEqual(before.record.sent);
      const writes = (calls: typeof before.record.calls) =>
        calls.filter(({ verb }) => verb !== "GET");
      expect(writes(simulator.record().calls)).toEqual(writes(before.record.calls));
      const next = (await client.users.messages.send({ ...me, requestBody: { raw: raw("Next") } }))
        .data;
      expect(next.id).not.toBe(before.sent.id);
    });
  });

  test("ignores an incomplete last line after a crash", async () => {
    const sent = await withSimulator({ folder }, async (simulator) => {
      const { gmail: client } = await signIn(simulator);
      await client.users.messages.send({ ...me, requestBody: { raw: raw("One") } });
      return simulator.record().sent;
    });
    const file = join(folder, "google", "journal.jsonl");
    appendFileSync(file, '{"entries":[{"type":"sent","mail":{"by":"ap');
    for (let round = 0; round < 2; round += 1) {
      await withSimulator({ folder }, async (simulator) => {
        expect(simulator.record().sent).toEqual(sent);
        simulator.control.changeSettings({ sentLagMs: 5 });
      });
    }
    expect(() =>
      readFileSync(file, "utf8")
        .trimEnd()
        .split("\n")
        .map((line): unknown => JSON.parse(line)),
    ).not.toThrow();
  });

  test("keeps acknowledged changes when killed", async () => {
    const program = `import { startSimulator } from ${JSON.stringify(new URL("../start-simulator.ts", import.meta.url).href)};
      const simulator = await startSimulator({ folder: ${JSON.stringify(folder)} });
      console.log(JSON.stringify({ url: simulator.url, clientId: simulator.clientId, clientSecret: simulator.clientSecret, accounts: simulator.accounts, googleEndpoints: simulator.googleEndpoints }));`;
    const child = spawn(
      process.execPath,
      ["--input-type=module", "--disable-warning=ExperimentalWarning", "-e", program],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const { gmail: client } = await signIn(JSON.parse(line.toString()));
    const ids: (string | null | undefined)[] = [];
    for (let at = 0; at < 20; at += 1)
      ids.push(
        (await client.users.messages.send({ ...me, requestBody: { raw: raw(`Number ${at}`) } }))
          .data.id,
      );
    const last = client.users.messages
      .send({ ...me, requestBody: { raw: raw("Last") } })
      .catch(() => undefined);
    child.kill("SIGKILL");
    await Promise.all([once(child, "exit"), last]);
    await withSimulator({ folder }, async (simulator) => {
      expect(
        simulator
          .record()
          .sent.slice(0, 20)
          .map(({ messageId }) => messageId),
      ).toEqual(ids);
      const jonas = await signIn(simulator, { account: "jonas@lindqvist.example" });
      const got = (await jonas.gmail.users.messages.list({ ...me, q: "subject:number in:inbox" }))
        .data.resultSizeEstimate;
      expect(got).toBe(20);
    });
  });

  test("starts over on reset with current dates", async () => {
    let now = new Date("2026-11-15T12:00:00Z");
    await withSimulator({ folder, now: () => now }, async (simulator) => {
      const { gmail: client } = await signIn(simulator);
      await client.users.messages.send({ ...me, requestBody: { raw: raw("Gone") } });
      now = new Date("2027-03-01T12:00:00Z");
      simulator.reset();
      expect((await failureOf(client.users.getProfile(me))).response?.status).toBe(401);
      const again = await signIn(simulator);
      const find = async (q: string) =>
        (await again.gmail.users.messages.list({ ...me, q })).data.resultSizeEstimate ?? 0;
      expect(await find("subject:gone")).toBe(0);
      expect(await find("newer_than:7d has:attachment")).toBeGreaterThan(3);
      expect(simulator.record().sent).toEqual([]);
    });
  });
});
