import type { Sessions } from "@bron/core";
import { migrate, openDatabase, postgresSessions, type OpenDatabase } from "@bron/store";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../test/support/test-database.ts";
import { createSessions, type SessionService } from "./sessions.ts";

const hour = 3_600_000;
const browser = { via: "link" as const, userAgent: "Firefox", lifeMs: hour };
const notFound = expect.objectContaining({ code: "not_found" });

describe("sessions", () => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let sessions: SessionService;
  let stored: Sessions;
  /** The view of another process. */
  let elsewhere: { open: OpenDatabase; sessions: SessionService };
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    open = await openDatabase({ url: database.url });
    await migrate(open.db);
    stored = postgresSessions(open.pool);
    sessions = createSessions(stored);
    const other = await openDatabase({ url: database.url });
    elsewhere = { open: other, sessions: createSessions(postgresSessions(other.pool)) };
  });
  afterAll(async () => {
    await open.close();
    await elsewhere.open.close();
    await database.drop();
  });
  const seenAt = async (id: string) =>
    (
      await open.pool.query<{ at: Date }>("select last_seen_at as at from sessions where id = $1", [
        id,
      ])
    ).rows[0]!.at.getTime();
  const seenAgo = (id: string, seconds: number) =>
    open.pool.query(
      "update sessions set last_seen_at = clock_timestamp() - $2 * interval '1 second' where id = $1",
      [id, seconds],
    );
  const expire = (id: string) =>
    open.pool.query("update sessions set expires_at = clock_timestamp() where id = $1", [id]);

  it("RT2 are found by their secret in every process, and by no other secret", async () => {
    const { id, secret } = await sessions.open("eva", browser);
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(await sessions.find(secret)).toEqual({ id, ownerId: "eva", via: "link" });
    expect(await elsewhere.sessions.find(secret)).toEqual({ id, ownerId: "eva", via: "link" });
    for (const wrong of ["", "x", `${secret} `, secret.slice(1), id])
      expect(await sessions.find(wrong)).toBeUndefined();
  });

  it("RT2 can't be hijacked with the content of the database", async () => {
    const { secret } = await sessions.open("stolen", browser);
    const { rows } = await open.pool.query<Record<string, unknown>>(
      "select * from sessions where owner_id = 'stolen'",
    );
    expect(JSON.stringify(rows)).not.toContain(secret);
    for (const value of Object.values(rows[0]!))
      expect(await sessions.find(String(value))).toBeUndefined();
  });

  it("RT2 expire, and are deleted later", async () => {
    const { id, secret } = await sessions.open("late", browser);
    await expire(id);
    expect(await sessions.find(secret)).toBeUndefined();
    expect(await stored.list("late")).toEqual([]);
    await expect(stored.end("late", id)).rejects.toEqual(notFound);
    await open.pool.query(
      "update sessions set expires_at = clock_timestamp() - interval '2 days' where id = $1",
      [id],
    );
    await sessions.open("somebody", browser);
    expect((await open.pool.query("select from sessions where id = $1", [id])).rowCount).toBe(0);
  });

  it("RT2 are ended only by their owner, and at once in every process", async () => {
    const { id, secret } = await sessions.open("paul", browser);
    await elsewhere.sessions.find(secret);
    for (const [owner, which] of [
      ["mallory", id],
      ["paul", "no-uuid"],
      ["paul", "00000000-0000-4000-8000-000000000000"],
    ] as const)
      await expect(stored.end(owner, which)).rejects.toEqual(notFound);
    expect(await sessions.find(secret)).toBeDefined();
    await stored.end("paul", id);
    expect(await sessions.find(secret)).toBeUndefined();
    expect(await elsewhere.sessions.find(secret)).toBeUndefined();
    await expect(stored.end("paul", id)).rejects.toEqual(notFound);
  });

  it("RT2 record when they were last seen, at most once a minute", async () => {
    const { id, secret } = await sessions.open("seen", browser);
    await seenAgo(id, 50);
    const before = await seenAt(id);
    await sessions.find(secret);
    expect(await seenAt(id)).toBe(before);
    await seenAgo(id, 70);
    await Promise.all(Array.from({ length: 8 }, () => sessions.find(secret)));
    const after = await seenAt(id);
    expect(after).toBeGreaterThan(before);
    await sessions.find(secret);
    expect(await seenAt(id)).toBe(after);
  });

  it("RT2 are listed most recently seen first, with a truncated user agent", async () => {
    const [first, second] = [
      await sessions.open("lists", browser),
      await sessions.open("lists", { ...browser, userAgent: `Lynx\u0000${"x".repeat(1_000)}` }),
    ];
    await seenAgo(second.id, 120);
    const listed = await stored.list("lists");
    expect(listed.map(({ id }) => id)).toEqual([first.id, second.id]);
    expect(listed[0]).toEqual({
      id: first.id,
      via: "link",
      userAgent: "Firefox",
      createdAt: expect.stringMatching(/Z$/),
      lastSeenAt: expect.stringMatching(/Z$/),
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect(Date.parse(listed[0]!.expiresAt) - Date.parse(listed[0]!.createdAt)).toBeCloseTo(
      hour,
      -3,
    );
    expect(listed[1]!.userAgent.length).toBeLessThanOrEqual(300);
  });

  it("RT2 are all ended except the current one, with every older sign-in from elsewhere", async () => {
    const [kept, other, third] = [
      await sessions.open("many", browser),
      await sessions.open("many", browser),
      await sessions.open("many", browser),
    ];
    const [stranger] = [await sessions.open("stranger", browser)];
    expect(await sessions.validAfter("many")).toBe(0);
    const before = Date.now();
    expect((await stored.endOthers("many", kept.id)).toSorted()).toEqual(
      [other.id, third.id].toSorted(),
    );
    expect(await sessions.validAfter("many")).toBeGreaterThanOrEqual(before - 1_000);
    expect(await sessions.find(kept.secret)).toBeDefined();
    expect(await sessions.find(stranger.secret)).toBeDefined();
    expect(await sessions.find(other.secret)).toBeUndefined();
    expect(await stored.endOthers("many", undefined)).toEqual([kept.id]);
    expect(await stored.endOthers("nobody", "no-uuid")).toEqual([]);
  });

  it("RT2 start with a cookie that was signed elsewhere, and don't start again with it after they ended", async () => {
    const cookie = {
      via: "firebase" as const,
      secret: "signed.cookie",
      userAgent: "Safari",
      signedInAt: Date.now() - 5_000,
      expiresAt: Date.now() + hour,
    };
    const both = await Promise.all([
      sessions.admit("fire", cookie),
      elsewhere.sessions.admit("fire", cookie),
    ]);
    expect(both[0]).toMatchObject({ ownerId: "fire", via: "firebase" });
    expect(both[1]).toEqual(both[0]);
    expect(await stored.list("fire")).toHaveLength(1);
    expect(await sessions.admit("mallory", cookie)).toBeUndefined();
    await stored.end("fire", both[0]!.id);
    expect(await elsewhere.sessions.admit("fire", cookie)).toBeUndefined();
    expect(
      await sessions.admit("fire", {
        ...cookie,
        secret: "expired.cookie",
        expiresAt: Date.now() - 1_000,
      }),
    ).toBeUndefined();

    const kept = await sessions.admit("fire", { ...cookie, secret: "kept.cookie" });
    await stored.endOthers("fire", kept!.id);
    expect(await sessions.admit("fire", { ...cookie, secret: "kept.cookie" })).toEqual(kept);
    expect(await sessions.admit("fire", { ...cookie, secret: "older.cookie" })).toBeUndefined();
    expect(
      await sessions.admit("fire", {
        ...cookie,
        secret: "newer.cookie",
        signedInAt: Date.now() + 5_000,
      }),
    ).toBeDefined();
  });

  it("RT2 don't survive if they start while all are being ended", async () => {
    const cookie = {
      via: "firebase" as const,
      userAgent: "",
      signedInAt: Date.now() - 5_000,
      expiresAt: Date.now() + hour,
    };
    const coming = Array.from({ length: 40 }, (_, n) =>
      (n % 2 ? elsewhere.sessions : sessions).admit("rush", { ...cookie, secret: `cookie ${n}` }),
    );
    await Promise.race(coming);
    await stored.endOthers("rush", undefined);
    await Promise.all(coming);
    expect(await stored.list("rush")).toEqual([]);
  });

  it("BR25 are recorded in the audit log when they end, without the secret", async () => {
    const [one, two] = [
      await sessions.open("audited", browser),
      await sessions.open("audited", browser),
    ];
    await stored.end("audited", one.id);
    await stored.endOthers("audited", undefined);
    const { rows } = await open.pool.query<{ what: string; by: string; details: unknown }>(
      "select what, by, details from audit where owner_id = 'audited' order by id desc",
    );
    expect(rows).toEqual(
      [two, one].map(({ id }) => ({
        what: "session.ended",
        by: "owner",
        details: { sessionId: id, via: "link" },
      })),
    );
  });
});
