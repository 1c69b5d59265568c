import { randomUUID } from "node:crypto";
import { sha256, type Store } from "@bron/core";
import { defaultCaps } from "@bron/protocol";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startStrictS3, type StrictS3 } from "../../../../test/support/strict-s3.ts";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { createBlobs, type Blobs } from "./blobs.ts";
import { openDatabase, type OpenDatabase } from "../database/database.ts";
import { migrate } from "../database/migrate.ts";
import { createPostgresStore } from "../postgres-store.ts";
import { s3Store } from "./s3-store.ts";

const day = 86_400_000;
const waker = {
  takesHere: () => false,
  enlist: () => Promise.resolve(),
  committed: () => undefined,
};

describe.each(["the database", "an S3 store"])("unattached uploads with content in %s", (where) => {
  let database: TestDatabase;
  let open: OpenDatabase;
  let s3: StrictS3;
  let blobs: Blobs;
  let store: Store;
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    open = await openDatabase({ url: database.url });
    await migrate(open.db);
    s3 = await startStrictS3();
    blobs = createBlobs(open.db, where === "an S3 store" ? s3Store(s3.settings) : undefined);
    store = createPostgresStore(open, waker, blobs);
  });
  afterAll(async () => {
    await open.close();
    await database.drop();
    await s3.close();
  });

  const upload = async (ownerId: string, text: string) => {
    const bytes = new TextEncoder().encode(text);
    const { upload: announced } = await store.uploads.create(ownerId, {
      filename: "a.txt",
      contentType: "text/plain",
      sizeBytes: bytes.length,
      ttlMs: 60_000,
    });
    return await store.uploads.storeContent(ownerId, announced.id, {
      bytes,
      digest: await sha256(bytes),
    });
  };
  /** Moves all data of the owner into the past. */
  const age = async (ownerId: string) => {
    await open.pool.query(
      "update uploads set created_at = created_at - interval '25 hours' where owner_id = $1",
      [ownerId],
    );
    await open.pool.query(
      "update blobs set kept_at = kept_at - interval '25 hours' where owner_id = $1",
      [ownerId],
    );
  };
  const digestsOf = async (ownerId: string) =>
    (
      await open.pool.query<{ digest: string }>(
        "select digest from blobs where owner_id = $1 order by digest",
        [ownerId],
      )
    ).rows.map(({ digest }) => digest);

  it("BR9 are removed after a day, with content that nothing else refers to", async () => {
    const ownerId = randomUUID();
    const [lost, kept] = [await upload(ownerId, "lost"), await upload(ownerId, "kept")];
    const same = await upload(ownerId, "kept");
    await store.runs.create({
      ownerId,
      input: { prompt: "x", uploadIds: [kept.id] },
      title: "x",
      caps: defaultCaps,
    });
    expect(await store.uploads.removeUnattached(day)).toBe(0);
    await age(ownerId);
    const fresh = await upload(ownerId, "fresh");
    expect(await store.uploads.removeUnattached(day)).toBe(2);
    for (const { id } of [lost, same]) expect(await store.uploads.get(ownerId, id)).toBeUndefined();
    expect(await digestsOf(ownerId)).toEqual([kept.digest ?? "", fresh.digest ?? ""].toSorted());
    if (where === "an S3 store")
      expect([...s3.objects.values()].map(String).toSorted()).toEqual(["fresh", "kept"]);
    expect(await blobs.read(ownerId, kept.digest ?? "")).toEqual(new TextEncoder().encode("kept"));
  });

  it("BR9 leave with content of an artifact whose event was never written", async () => {
    const ownerId = randomUUID();
    const run = (
      await store.runs.create({ ownerId, input: { prompt: "x" }, title: "x", caps: defaultCaps })
    ).run;
    const about = { kind: "tool_output", name: "read.txt", mediaType: "text/plain" };
    const put = (text: string) =>
      store.artifacts.put({
        ...about,
        ownerId,
        runId: run.id,
        bytes: new TextEncoder().encode(text),
      });
    const [orphan, kept] = [await put("orphan"), await put("kept output")];
    await open.pool.query(
      "insert into artifacts (id, run_id, owner_id, kind, name, media_type, digest, size_bytes) values ($1, $2, $3, 'tool_output', 'read.txt', 'text/plain', $4, $5)",
      [kept.artifactId, run.id, ownerId, kept.digest, kept.sizeBytes],
    );
    while ((await store.uploads.removeUnattached(day)) > 0);
    expect(await digestsOf(ownerId)).toEqual([orphan.digest, kept.digest].toSorted());
    await age(ownerId);
    while ((await store.uploads.removeUnattached(day)) > 0);
    expect(await digestsOf(ownerId)).toEqual([kept.digest]);
  });

  it("BR9 stay if the same content was stored again within the hour, because a run may be about to use it", async () => {
    const ownerId = randomUUID();
    const { id, digest } = await upload(ownerId, "shared");
    await age(ownerId);
    await store.artifacts.put({
      ownerId,
      runId: randomUUID(),
      kind: "file",
      name: "a",
      mediaType: "text/plain",
      bytes: new TextEncoder().encode("shared"),
    });
    expect(await store.uploads.removeUnattached(day)).toBe(0);
    expect([(await store.uploads.get(ownerId, id))?.id, await digestsOf(ownerId)]).toEqual([
      id,
      [digest],
    ]);
  });

  it("BR8 end with an error before the last chunk if their content is corrupted", async () => {
    const ownerId = randomUUID();
    const text = "a".repeat(1_500_000);
    const { digest } = await upload(ownerId, text);
    const wrong = Buffer.from(`b${text.slice(1)}`);
    await open.pool.query(
      "update blobs set bytes = case when location is null then $2::bytea end where owner_id = $1",
      [ownerId, wrong],
    );
    for (const key of s3.objects.keys())
      if (s3.objects.get(key)?.length === text.length) s3.objects.set(key, wrong);
    const read = async () => {
      let bytes = 0;
      for await (const chunk of (await blobs.open(ownerId, digest ?? ""))?.chunks ?? [])
        bytes += chunk.length;
      return bytes;
    };
    await expect(read()).rejects.toMatchObject({ code: "internal" });
  });
});
