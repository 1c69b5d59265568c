import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { encode, failureOf, signIn, withSimulator } from "../google-client.fixture.ts";
import type { Simulator } from "../start-simulator.ts";
import type { FaultRule } from "./faults.ts";

const me = { userId: "me" } as const;
const raw = encode("To: eva@outside.example", "Subject: Offer", "", "x");
const send = "gmail.users.messages.send";

/** Sends one mail under a fault. Returns what the caller saw and what really happened. */
async function sendUnder(simulator: Simulator, rule: FaultRule) {
  const { gmail } = await signIn(simulator);
  simulator.faults.add({ method: send, ...rule });
  const failure = await failureOf(gmail.users.messages.send({ ...me, requestBody: { raw } }));
  const call = simulator.record().calls.findLast(({ method }) => method === send);
  return {
    status: failure.response?.status,
    data: failure.response?.data,
    headers: failure.response?.headers,
    sent: simulator.record().sent.length,
    call,
  };
}

describe("a fault", () => {
  test.each([
    [401, "UNAUTHENTICATED"],
    [403, "PERMISSION_DENIED"],
    [404, "NOT_FOUND"],
    [429, "RESOURCE_EXHAUSTED"],
    [500, "INTERNAL"],
    [503, "UNAVAILABLE"],
  ] as const)("of status %s returns Google's error and changes nothing", (status, name) =>
    withSimulator({}, async (simulator) => {
      const seen = await sendUnder(simulator, { kind: "status", status, retryAfterSeconds: 7 });
      expect(seen).toMatchObject({
        status,
        data: { error: { code: status, status: name } },
        sent: 0,
        call: { status, ending: "answered", effects: [] },
      });
      if (status === 429) expect(seen.headers?.get("retry-after")).toBe("7");
    }),
  );

  test("after the effect returns an error although the record shows the change", () =>
    withSimulator({}, async (simulator) => {
      const seen = await sendUnder(simulator, { kind: "status", status: 500, when: "after" });
      expect(seen).toMatchObject({
        status: 500,
        sent: 1,
        call: {
          status: 500,
          fault: "status 500 after the effect",
          effects: [expect.stringMatching(/^sent /)],
        },
      });
      expect(simulator.record().sent[0]?.call).toBe(seen.call?.seq);
    }));

  test.each([
    ["before", 0],
    ["after", 1],
  ] as const)("that cuts the connection %s the effect leaves %s mails", (when, count) =>
    withSimulator({}, async (simulator) => {
      const seen = await sendUnder(simulator, { kind: "cut", when });
      expect(seen).toMatchObject({ status: undefined, sent: count, call: { ending: "cut" } });
      expect(seen.call?.effects).toHaveLength(count);
    }),
  );

  test("for several methods applies to the first call", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      simulator.faults.add({
        method: ["calendar.*", "gmail.users.getProfile"],
        kind: "status",
        status: 503,
      });
      expect((await failureOf(gmail.users.getProfile(me))).response?.status).toBe(503);
      expect(simulator.faults.list()).toEqual([]);
      await gmail.users.getProfile(me);
    }));

  test("that is slow delays the call", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      simulator.faults.add({ method: "gmail.users.getProfile", kind: "slow", ms: 150 });
      const startedAt = performance.now();
      await gmail.users.getProfile(me);
      expect(performance.now() - startedAt).toBeGreaterThan(140);
    }));

  test("that freezes holds the call until released, before or after the effect", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      for (const [when, held, count] of [
        ["before", 0, 1],
        ["after", 2, 2],
      ] as const) {
        const id = simulator.faults.add({ method: send, kind: "frozen", when });
        const sending = gmail.users.messages.send({ ...me, requestBody: { raw } });
        await expect.poll(() => simulator.faults.frozen()).toBe(1);
        expect(simulator.record().sent).toHaveLength(held);
        simulator.faults.release(id);
        await sending;
        expect(simulator.record().sent).toHaveLength(count);
      }
    }));

  test("completes the call although the caller gave up", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      simulator.faults.add({ method: send, kind: "frozen" });
      await failureOf(gmail.users.messages.send({ ...me, requestBody: { raw } }, { timeout: 100 }));
      const call = () => simulator.record().calls.findLast(({ method }) => method === send);
      await expect.poll(() => call()?.ending).toBe("cut");
      expect(simulator.record().sent).toEqual([]);
      simulator.faults.release();
      await expect.poll(() => simulator.record().sent.length).toBe(1);
      expect(call()).toMatchObject({ ending: "cut", effects: [expect.stringMatching(/^sent /)] });
    }));

  test("skips and counts calls by method, star or path", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      const statuses = async (times: number) => {
        const list: number[] = [];
        for (let at = 0; at < times; at += 1)
          list.push(
            await gmail.users.labels.list(me).then(
              ({ status }) => status,
              (error: { status?: number; response?: { status: number } }) =>
                error.response?.status ?? 0,
            ),
          );
        return list;
      };
      simulator.faults.add({
        method: "gmail.users.*",
        kind: "status",
        status: 404,
        skip: 1,
        times: 2,
      });
      expect(await statuses(4)).toEqual([200, 404, 404, 200]);
      simulator.faults.add({ path: "/labels$", kind: "status", status: 403 });
      expect(await statuses(2)).toEqual([403, 200]);
      simulator.faults.add({ method: "oauth.token", kind: "status", status: 404 });
      expect(await statuses(1)).toEqual([200]);
      expect(simulator.faults.list()).toHaveLength(1);
      simulator.faults.clear();
      expect(simulator.faults.list()).toEqual([]);
    }));

  test("of a frozen call neither blocks close nor sends later", async () => {
    const sent = await withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator);
      simulator.faults.add({ method: send, kind: "frozen" });
      void gmail.users.messages.send({ ...me, requestBody: { raw } }).catch(() => undefined);
      await expect.poll(() => simulator.faults.frozen()).toBe(1);
      return simulator.record;
    });
    expect(sent().sent).toEqual([]);
  });
});

describe("control over HTTP", () => {
  const controlKey = "key-for-tests";
  const post = (simulator: Simulator, name: string, body: unknown = {}, key = controlKey) =>
    fetch(`${simulator.url}/_control/${name}`, {
      method: "POST",
      headers: { "x-control-key": key },
      body: JSON.stringify(body),
    });

  test("needs the key, and is closed without one", async () => {
    await withSimulator({ controlKey }, async (simulator) =>
      expect((await post(simulator, "reset", {}, "wrong")).status).toBe(401),
    );
    await withSimulator({}, async (simulator) =>
      expect((await post(simulator, "reset")).status).toBe(404),
    );
  });

  test("sets faults, settings and tokens, touches drafts, delivers, resets and shows the record", () =>
    withSimulator({ controlKey }, async (simulator) => {
      const account = "mara@lindqvist.example";
      const { gmail } = await signIn(simulator);
      const { id } = (await (
        await post(simulator, "faults", {
          method: "gmail.users.getProfile",
          kind: "status",
          status: 404,
        })
      ).json()) as { id: number };
      expect(id).toBe(1);
      expect((await failureOf(gmail.users.getProfile(me))).response?.status).toBe(404);
      expect((await post(simulator, "faults", { kind: "nonsense" })).status).toBe(400);
      expect((await post(simulator, "faults", { kind: "cut", path: "(" })).status).toBe(400);

      const draftId =
        (await gmail.users.drafts.create({ ...me, requestBody: { message: { raw } } })).data.id ??
        "";
      await post(simulator, "drafts/edit", {
        account,
        draftId,
        mail: { from: account, to: "eva@outside.example", subject: "Edited", text: "z" },
      });
      expect(await (await post(simulator, "drafts", { account })).json()).toMatchObject({
        drafts: [{ draftId, subject: "Edited" }],
      });
      await post(simulator, "drafts/send", { account, draftId });
      expect((await post(simulator, "drafts/delete", { account, draftId })).status).toBe(404);
      await post(simulator, "deliver", {
        account,
        mail: {
          from: "x@outside.example",
          to: account,
          subject: "Delivered",
          text: "y",
          attachments: [{ filename: "a.txt", contentType: "text/plain", content: "aGk=" }],
        },
      });
      expect(
        (
          await gmail.users.messages.list({
            ...me,
            q: "subject:delivered filename:a.txt is:unread",
          })
        ).data.messages,
      ).toHaveLength(1);
      const record = await (
        await fetch(`${simulator.url}/_control/record`, {
          headers: { "x-control-key": controlKey },
        })
      ).json();
      expect(record).toMatchObject({ sent: [{ subject: "Edited", by: "owner" }] });

      await post(simulator, "settings", { accessTokenSeconds: 5 });
      await post(simulator, "expire-access-tokens");
      expect((await failureOf(gmail.users.getProfile(me))).response?.status).toBe(401);
      await post(simulator, "revoke", { account });
      await post(simulator, "reset");
      expect(simulator.record()).toEqual({ calls: [], sent: [], calendar: [], posted: [] });
    }));
});

describe("the server", () => {
  test.each(["evil.example", "169.254.1.1:80", "127.0.0.1.evil.example"])(
    "refuses the host %s",
    (host) =>
      withSimulator({}, async (simulator) => {
        const status = await new Promise((resolve, reject) =>
          httpRequest(simulator.url, { headers: { host } }, (answer) =>
            resolve(answer.resume().statusCode),
          )
            .on("error", reject)
            .end(),
        );
        expect(status).toBe(403);
      }),
  );

  test("says on its page that it is a demo", () =>
    withSimulator({}, async (simulator) => {
      expect(simulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      const answer = await fetch(simulator.url);
      expect(await answer.text()).toContain("simulated Google on your computer");
    }));

  test("requires a token and a known path", () =>
    withSimulator({}, async (simulator) => {
      const answer = await fetch(`${simulator.url}/gmail/v1/users/me/profile`);
      expect([answer.status, await answer.json()]).toMatchObject([
        401,
        { error: { status: "UNAUTHENTICATED", errors: [{ reason: "required" }] } },
      ]);
      expect((await fetch(`${simulator.url}/gmail/v1/users/me/nothing`)).status).toBe(404);
    }));

  test("rejects unknown parameters like Google", () =>
    withSimulator({}, async (simulator) => {
      const { auth } = await signIn(simulator);
      const refused = await failureOf(
        auth.request({ url: `${simulator.url}/gmail/v1/users/me/messages?query=x` }),
      );
      expect(refused.response?.data.error.message).toContain('Unknown name "query"');
    }));
});
