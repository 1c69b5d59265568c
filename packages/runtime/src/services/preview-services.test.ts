import { sha256, type FilePreviewer } from "@bron/core";
import type { FilePreview } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { previewServices } from "./preview-services.ts";

const ownerId = "0197c2a0-0000-7000-8000-000000000001";
const bytes = new TextEncoder().encode("a,b\n1,2");
const text: FilePreview = { kind: "text", text: "a", isCut: false };

async function openPreviews(
  previewFile: FilePreviewer | undefined,
  { sizeBytes = bytes.length }: { readonly sizeBytes?: number } = {},
) {
  const digest = await sha256(bytes);
  const isKnown = (owner: string, asked: string) => owner === ownerId && asked === digest;
  const artifacts = {
    open: async (owner: string, asked: string) =>
      isKnown(owner, asked) ? { sizeBytes, chunks: [bytes] } : undefined,
    read: async (owner: string, asked: string) => (isKnown(owner, asked) ? bytes : undefined),
  };
  const get = previewServices({ artifacts, previewFile })["GET /api/artifacts/:digest/preview"];
  return async (query = {}, owner = ownerId) =>
    await get({
      caller: { ownerId: owner, via: "terminal", scopes: ["read"], email: null },
      params: { digest },
      query,
      body: undefined,
      idempotencyKey: undefined,
    });
}

describe("the preview of an artifact", () => {
  it("is made once for a digest and its claims", async () => {
    const asked: unknown[] = [];
    const preview = await openPreviews(async ({ name, mediaType }) => {
      asked.push([name, mediaType]);
      return text;
    });
    const claims = { name: "a.csv", mediaType: "text/csv" };
    expect(await Promise.all([preview(claims), preview(claims)])).toEqual([text, text]);
    expect(await preview(claims)).toEqual(text);
    await preview({ name: "a.txt" });
    expect(asked).toEqual([
      ["a.csv", "text/csv"],
      ["a.txt", undefined],
    ]);
  });

  it("is not found by another owner, even if it was made before", async () => {
    const preview = await openPreviews(async () => text);
    await preview();
    await expect(preview({}, "0197c2a0-0000-7000-8000-000000000002")).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("is not made for a file that is too large", async () => {
    const preview = await openPreviews(async () => text, { sizeBytes: 21 * 1024 * 1024 });
    expect(await preview()).toEqual({ kind: "none", reason: "too_large" });
  });

  it("is tried again after a failure", async () => {
    const results: FilePreview[] = [{ kind: "none", reason: "failed" }, text];
    const preview = await openPreviews(async () => results.shift() ?? text);
    expect(await preview()).toEqual({ kind: "none", reason: "failed" });
    expect(await preview()).toEqual(text);
  });

  it("is absent in a runtime without a previewer", async () => {
    const preview = await openPreviews(undefined);
    expect(await preview()).toEqual({ kind: "none", reason: "unsupported" });
  });
});
