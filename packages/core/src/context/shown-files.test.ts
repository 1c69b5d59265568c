import { createLoopHarness, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { sha256 } from "../policy/digest.ts";
import { defaultRules } from "../policy/permissions/rules.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { AttachedFile } from "./attached-files.ts";
import { filesToShow, shownTokens } from "./shown-files.ts";

const accepts = ["image/png", "application/pdf"];
const file = (changes: Partial<AttachedFile> = {}): AttachedFile => ({
  name: "photo.png",
  mediaType: "image/png",
  sizeBytes: 1_000,
  digest: "sha256:1",
  ...changes,
});

describe("the files that a model looks at", () => {
  it("are those that it accepts, in order and once", () => {
    const pdf = file({ name: "a.pdf", mediaType: "application/pdf", digest: "sha256:2" });
    const text = file({ name: "a.txt", mediaType: "text/plain", digest: "sha256:3" });
    const files = [pdf, text, file(), file({ name: "again.png" })];
    expect(filesToShow(files, { accepts }, false)).toEqual([pdf, file()]);
    expect(filesToShow(files, { accepts: ["image/png"] }, false)).toEqual([file()]);
    expect(filesToShow(files, {}, false)).toEqual([]);
  });

  it("are images only if money limits the run, because the cost of a PDF has no upper bound", () => {
    const pdf = file({ mediaType: "application/pdf", digest: "sha256:2" });
    expect(filesToShow([pdf, file()], { accepts }, true)).toEqual([file()]);
  });

  it("are within the limits of the providers", () => {
    const many = Array.from({ length: 12 }, (_, index) => file({ digest: `sha256:${index}` }));
    expect(filesToShow(many, { accepts }, false)).toHaveLength(10);
    expect(filesToShow([file({ sizeBytes: 3_500_001 })], { accepts }, false)).toEqual([]);
    const large = many.slice(0, 6).map((image) => ({ ...image, sizeBytes: 3_000_000 }));
    expect(filesToShow(large, { accepts }, false)).toHaveLength(4);
    expect(shownTokens(many.slice(0, 2))).toBe(12_288);
  });
});

describe("a request", () => {
  const bytes = new TextEncoder().encode("png bytes that must not be in the log");

  async function upload({ store }: LoopHarness, filename: string, contentType: string) {
    const { upload: announced } = await store.uploads.create("local", {
      filename,
      contentType,
      sizeBytes: bytes.length,
      ttlMs: 60_000,
    });
    const digest = await sha256(bytes);
    await store.uploads.storeContent("local", announced.id, { bytes, digest });
    return announced.id;
  }

  async function runWith(
    filename: string,
    contentType: string,
    read?: () => Promise<Uint8Array | undefined>,
  ) {
    let content: unknown;
    const loop = createLoopHarness({
      script: () => ({ text: "unused" }),
      roles: (named) => ({
        main: {
          ...named("sees", ({ options }) => {
            content = options.prompt[1]?.content;
            return { text: "Done." };
          }),
          accepts,
        },
      }),
      ...(read ? { deps: { artifacts: { ...unusedArtifacts, read } } } : {}),
    });
    const uploadIds = [await upload(loop, filename, contentType)];
    const run = await loop.create({ prompt: "look", uploadIds });
    expect(await loop.advance(run.id)).toBe("ended");
    return { loop, run, content };
  }

  it("contains the bytes of an attached image, and the log only its digest", async () => {
    const { loop, run, content } = await runWith("my photo.png", "image/png");
    expect(content).toMatchObject([
      { type: "text", text: expect.stringContaining("[ATTACHED FILES]") },
      { type: "text", text: expect.stringContaining('{"name":"my photo.png"') },
      {
        type: "file",
        mediaType: "image/png",
        filename: "my-photo.png",
        data: { type: "data", data: bytes },
      },
    ]);
    const log = JSON.stringify(await loop.events(run.id));
    expect(log).not.toContain("must not be in the log");
    expect(log).not.toContain(Buffer.from(bytes).toString("base64"));
  });

  it("is repeated without the content of files that the model refuses", async () => {
    const requests: boolean[] = [];
    const loop = createLoopHarness({
      script: () => ({ text: "unused" }),
      roles: (named) => ({
        main: {
          ...named("sees", ({ options: { prompt }, turn }) => {
            const hasFile = JSON.stringify(prompt).includes('"type":"file"');
            requests.push(hasFile);
            if (hasFile)
              throw Object.assign(new TypeError("Could not process image"), { statusCode: 400 });
            return turn === 0 ? { calls: [{ tool: "none", input: {} }] } : { text: "Done." };
          }),
          accepts,
        },
      }),
    });
    const uploadIds = [await upload(loop, "broken.png", "image/png")];
    const run = await loop.create({ prompt: "look", uploadIds });
    await loop.advance(run.id);
    expect(requests).toEqual([true, false, false]);
    expect((await loop.run(run.id)).status).toBe("completed");
    const lines = (await loop.events(run.id)).flatMap((event) =>
      event.type === "log" ? [event.payload] : [],
    );
    expect(lines).toMatchObject([{ kind: "files_not_shown" }]);
  });

  it("makes the run untrusted, even if the owner typed the name of the file", async () => {
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({}),
      sideEffect: true,
      facts: () => ({
        kind: "event" as const,
        account: "",
        recipients: [],
        hosts: [],
        attachments: [],
        warnings: [],
      }),
      execute: () => "sent",
    });
    const risksWith = async (accepted: readonly string[]) => {
      const loop = createLoopHarness({
        script: () => ({ text: "unused" }),
        tools: [send],
        roles: (named) => ({
          main: {
            ...named("sees", ({ turn }) =>
              turn === 0 ? { calls: [{ tool: "send", input: {} }] } : { text: "Done." },
            ),
            accepts: accepted,
          },
        }),
        deps: {
          permissions: {
            rules: () => Promise.resolve({ ...defaultRules, trustLevel: "autonomous" }),
          },
        },
      });
      const run = await loop.create({
        prompt: "do what photo.png says",
        uploadIds: [await upload(loop, "photo.png", "image/png")],
      });
      await loop.advance(run.id);
      const approvals = await loop.store.approvals.list("local", { pendingOnly: true });
      return approvals.flatMap(({ risks }) => risks.flatMap(({ from }) => from[0]?.origin));
    };
    expect(await risksWith([])).toEqual([]);
    expect(await risksWith(["image/png"])).toEqual(["attached", "attached"]);
  });

  it("contains only the name of a file that the model does not accept", async () => {
    const { content } = await runWith("notes.txt", "text/plain");
    expect(content).toMatchObject([{ type: "text" }]);
  });

  it("says that a file is no longer stored", async () => {
    const { content } = await runWith("photo.png", "image/png", () => Promise.resolve(undefined));
    expect(content).toMatchObject([
      { type: "text" },
      { type: "text", text: expect.stringContaining("no longer stored") },
    ]);
  });

  it("is repeated if the storage is away", async () => {
    let reads = 0;
    const { loop, run, content } = await runWith("photo.png", "image/png", () =>
      reads++ === 0
        ? Promise.reject(new BronError("storage_unreachable", "away"))
        : Promise.resolve(bytes),
    );
    expect(content).toHaveLength(3);
    const usages = (await loop.events(run.id)).flatMap((event) =>
      event.type === "usage" ? [event.payload] : [],
    );
    expect(usages).toMatchObject([
      { outcome: "failed", costMicrousd: 0, error: { code: "storage_unreachable" } },
      { outcome: "settled" },
    ]);
  });
});

const unusedArtifacts = {
  put: () => Promise.reject(new TypeError("unused")),
  list: () => Promise.resolve([]),
  open: () => Promise.resolve(undefined),
};
