import { ClientError } from "@bron/client";
import type { UploadView } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { attachToRun } from "./attach-files.ts";

const uploads = ["a", "b", "c"].map((id) => ({ id }) as UploadView);

/** A server that accepts some files, and then throws. */
function serverThat(accepts: number, error: Error) {
  const attached: unknown[] = [];
  const call = async (_key: unknown, request: unknown) => {
    if (attached.length === accepts) throw error;
    attached.push(request);
  };
  return { attached, client: { call } as unknown as Parameters<typeof attachToRun>[0] };
}

describe("files for a task that works", () => {
  it("are attached to it, in order", async () => {
    const { client, attached } = serverThat(3, new Error("too many"));
    expect(await attachToRun(client, "run", uploads)).toEqual([]);
    expect(attached).toEqual(uploads.map(({ id }) => ({ body: { uploadId: id, runId: "run" } })));
  });

  it("are left for the next task if it has ended meanwhile", async () => {
    const ended = new ClientError("conflict", "It has ended.", {
      details: { why: { code: "attached_too_late" } },
    });
    const { client } = serverThat(1, ended);
    expect(await attachToRun(client, "run", uploads)).toEqual(uploads.slice(1));
  });

  it("are not lost by another failure", async () => {
    const { client } = serverThat(0, new ClientError("conflict", "Not uploaded yet."));
    await expect(attachToRun(client, "run", uploads)).rejects.toThrow("Not uploaded yet.");
  });
});
