import {
  createBlobs,
  importDatabase,
  migrate,
  openDatabase,
  s3Store,
  type BackupLine,
} from "@bron/store";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startStrictS3, type StrictS3 } from "../support/strict-s3.ts";
import { createTestDatabase } from "../support/test-database.ts";
import { createUploadHarness, type UploadHarness } from "./upload-harness.ts";

const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

describe("the blob store on S3", () => {
  let s3: StrictS3;
  beforeAll(async () => {
    s3 = await startStrictS3();
  });
  afterAll(() => s3.close());

  it("BR8 puts and gets bytes with valid signatures, and finds nothing under an unknown key", async () => {
    const store = s3Store(s3.settings);
    const bytes = Buffer.from([0, 1, 2, 254, 255]);
    await store.put("owner/one", bytes);
    await store.put("owner/odd name (1)~ü'", bytes);
    expect(await store.get("owner/one")).toEqual(new Uint8Array(bytes));
    expect(await store.get("owner/odd name (1)~ü'")).toEqual(new Uint8Array(bytes));
    expect(await store.get("owner/two")).toBeUndefined();
    expect(
      await s3Store({ ...s3.settings, endpoint: `${s3.settings.endpoint}/` }).get("owner/one"),
    ).toEqual(new Uint8Array(bytes));
  });

  it("BR8 gets bytes in ranges, and removes them", async () => {
    const store = s3Store(s3.settings);
    await store.put("owner/parts", Buffer.from("abcdefgh"));
    expect(await store.getRange("owner/parts", 2, 3)).toEqual({
      bytes: new Uint8Array(Buffer.from("cde")),
      totalBytes: 8,
    });
    expect(await store.getRange("owner/parts", 6, 10)).toEqual({
      bytes: new Uint8Array(Buffer.from("gh")),
      totalBytes: 8,
    });
    for (let times = 0; times < 2; times++) await store.remove("owner/parts");
    expect(await store.getRange("owner/parts", 0, 1)).toBeUndefined();
  });

  it.for([
    { secretAccessKey: "another" },
    { accessKeyId: "AKIAOTHER" },
    { region: "us-east-1" },
    { bucket: "another" },
  ])("BR8 reports that %o is wrong, and that a retry is of no use", async (wrong) => {
    const store = s3Store({ ...s3.settings, ...wrong });
    for (const ask of [() => store.put("k", Buffer.from("x")), () => store.get("k")])
      await expect(ask()).rejects.toMatchObject({
        code: "storage_unreachable",
        retryable: false,
        message: expect.stringMatching(/S3_BUCKET/),
      });
    expect(s3.objects.has("k")).toBe(false);
  });

  it("BR8 retries by itself while S3 is busy, and gives up with a retryable error", async () => {
    const store = s3Store(s3.settings);
    s3.fail(503, 2);
    await store.put("busy", Buffer.from("x"));
    s3.fail(500, 10);
    await expect(store.get("busy")).rejects.toMatchObject({
      code: "storage_unreachable",
      retryable: true,
    });
    s3.fail(0, 0);
    const gone = await startStrictS3();
    await gone.close();
    for (const ask of [
      () => s3Store(gone.settings).put("k", Buffer.from("x")),
      () => s3Store(gone.settings).get("k"),
    ])
      await expect(ask()).rejects.toMatchObject({
        code: "storage_unreachable",
        retryable: true,
        message: "The S3 store is not responding.",
        cause: { code: "ECONNREFUSED" },
      });
  });
});

describe("a runtime whose bytes are in S3", () => {
  let s3: StrictS3;
  let harness: UploadHarness;
  beforeAll(async () => {
    s3 = await startStrictS3();
    harness = await createUploadHarness(inject("postgresUrl"), {
      s3: s3.settings,
      script: ({ turn, options }) =>
        turn > 0
          ? { text: "Done." }
          : {
              calls: [
                {
                  tool: "document_read",
                  input: {
                    digest: /sha256:[0-9a-f]{64}/.exec(JSON.stringify(options.prompt))?.[0],
                  },
                },
              ],
            },
    });
  });
  afterAll(async () => {
    await harness.close();
    await s3.close();
  });

  it("BR8 BR9 stores uploads and artifacts there under a key without names, and their rows in the database", async () => {
    const id = await harness.upload({ bytes: "the words in S3" });
    expect([...s3.objects.keys()]).toEqual([`${sha256("eva")}/${sha256("the words in S3")}`]);
    expect(await harness.query("select bytes, location from blobs")).toEqual([
      { bytes: null, location: `${sha256("eva")}/${sha256("the words in S3")}` },
    ]);
    const run = await harness.post("/api/runs", {
      prompt: "read the attached file",
      uploadIds: [id],
    });
    await harness.waitForEnd(run.json["id"] as string);
    const { json } = await harness.get(`/api/runs/${run.json["id"] as string}/artifacts`);
    const artifacts = json["artifacts"] as { kind: string; digest: string }[];
    expect(artifacts.map(({ kind }) => kind)).toEqual(["upload", "document_text"]);
    for (const { digest } of artifacts)
      expect(await harness.get(`/api/artifacts/${digest}`)).toMatchObject({
        status: 200,
        text: "the words in S3",
      });
    expect(await harness.query("select 1 from blobs where bytes is not null")).toEqual([]);
  });

  it("BR8 stores the same bytes of one owner once, and those of two owners separately", async () => {
    const puts = () => s3.record.filter(({ method }) => method === "PUT").length;
    const before = puts();
    await harness.upload({ bytes: "the same" });
    await harness.upload({ bytes: "the same" });
    expect(puts() - before).toBe(1);
    await harness.upload({ bytes: "the same" }, "max");
    expect(puts() - before).toBe(2);
  });

  it("BR8 stores bytes again whose removal failed halfway", async () => {
    await harness.upload({ bytes: "left behind" });
    s3.objects.delete(`${sha256("eva")}/${sha256("left behind")}`);
    await harness.upload({ bytes: "left behind" });
    expect(await harness.get(`/api/artifacts/sha256:${sha256("left behind")}`)).toMatchObject({
      status: 200,
      text: "left behind",
    });
  });

  it("BR8 returns no bytes that differ from what was stored", async () => {
    await harness.upload({ bytes: "the truth" });
    const [digest, key] = [
      `sha256:${sha256("the truth")}`,
      `${sha256("eva")}/${sha256("the truth")}`,
    ];
    s3.objects.set(key, Buffer.from("something else"));
    expect(await harness.get(`/api/artifacts/${digest}`)).toMatchObject({
      status: 500,
      json: { code: "internal" },
    });
    s3.objects.delete(key);
    expect(await harness.get(`/api/artifacts/${digest}`)).toMatchObject({ status: 404 });
    s3.objects.set(key, Buffer.from("the truth"));
    expect(await harness.get(`/api/artifacts/${digest}`)).toMatchObject({
      status: 200,
      text: "the truth",
    });
  });

  it("BR8 reports that S3 is unreachable, stores nothing, and accepts the same token once S3 is back", async () => {
    const announced = await harness.announce({ sizeBytes: 5 });
    s3.fail(503, 100);
    expect(await harness.put(announced, "again")).toMatchObject({
      status: 503,
      json: { code: "storage_unreachable" },
    });
    expect(await harness.get(`/api/artifacts/sha256:${sha256("the truth")}`)).toMatchObject({
      status: 503,
      json: { code: "storage_unreachable" },
    });
    expect(
      await harness.query("select 1 from blobs where digest = $1", [`sha256:${sha256("again")}`]),
    ).toEqual([]);
    s3.fail(0, 0);
    expect(await harness.put(announced, "again")).toMatchObject({ status: 200 });
  });

  it("BR8 BR5 includes its bytes in a backup, which is complete without S3", async () => {
    await harness.upload({ bytes: "backed up" });
    const lines: BackupLine[] = [];
    for await (const line of harness.runtime.backup())
      lines.push(JSON.parse(JSON.stringify(line)) as BackupLine);
    const target = await createTestDatabase(inject("postgresUrl"));
    const open = await openDatabase({ url: target.url });
    await migrate(open.db);
    const replay = async function* () {
      yield* lines;
    };
    await importDatabase(open.pool, replay());
    const blobs = createBlobs(open.db);
    for (const text of ["backed up", "the words in S3"])
      expect(await blobs.read("eva", `sha256:${sha256(text)}`)).toEqual(
        new TextEncoder().encode(text),
      );
    await open.close();
    await target.drop();
  });

  it("BR8 fails to back up bytes that S3 does not return, instead of leaving them out", async () => {
    s3.fail(503, 100);
    const backUp = async () => {
      for await (const _ of harness.runtime.backup());
    };
    await expect(backUp()).rejects.toMatchObject({ code: "storage_unreachable" });
    s3.fail(0, 0);
  });

  it("BR8 reads what was stored in the database before S3 was configured, and says what is missing without S3", async () => {
    const database = await createTestDatabase(inject("postgresUrl"));
    const open = await openDatabase({ url: database.url });
    await migrate(open.db);
    await open.pool.query("insert into owners (id) values ('eva')");
    const [old, recent] = [`sha256:${sha256("old")}`, `sha256:${sha256("recent")}`];
    const [without, withS3] = [createBlobs(open.db), createBlobs(open.db, s3Store(s3.settings))];
    await without.put({ ownerId: "eva", digest: old, bytes: new TextEncoder().encode("old") });
    await withS3.put({
      ownerId: "eva",
      digest: recent,
      bytes: new TextEncoder().encode("recent"),
    });
    expect(await withS3.read("eva", old)).toEqual(new TextEncoder().encode("old"));
    expect(await withS3.read("eva", recent)).toEqual(new TextEncoder().encode("recent"));
    expect(await withS3.read("max", recent)).toBeUndefined();
    await expect(without.read("eva", recent)).rejects.toMatchObject({
      code: "storage_unreachable",
      retryable: false,
    });
    await open.close();
    await database.drop();
  });
});
