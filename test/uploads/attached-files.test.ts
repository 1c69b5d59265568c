import type { RunEvent } from "@bron/protocol";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { tinyPdf } from "./tiny-pdf.ts";
import { createUploadHarness, type UploadHarness } from "./upload-harness.ts";

describe("a run with attached files", () => {
  let harness: UploadHarness;
  /** A model with an attached file: reads it by its digest, and responds with what it found. */
  beforeAll(async () => {
    harness = await createUploadHarness(inject("postgresUrl"), {
      script({ options }) {
        const prompt = options.prompt.map(({ role, content }) => ({
          role,
          text: JSON.stringify(content),
        }));
        const note =
          prompt.find(({ role, text }) => role === "user" && text.includes("[ATTACHED FILES]"))
            ?.text ?? "";
        const digest = /sha256:[0-9a-f]{64}/.exec(note)?.[0];
        if (digest === undefined) return { text: "There is no file." };
        if (options.prompt.at(-1)?.role === "user")
          return { calls: [{ tool: "document_read", input: { digest, name: "invoice.pdf" } }] };
        return {
          text: `It says: ${/Total: [\d.]+ EUR/.exec(prompt.at(-1)?.text ?? "")?.[0] ?? "nothing"}`,
        };
      },
    });
  });
  afterAll(() => harness.close());

  const logOf = async (runId: string) => {
    const events: RunEvent[] = [];
    for await (const event of harness.runtime.logs.events("eva", runId)) events.push(event);
    return events;
  };

  it("BR9 BR8 reads an uploaded PDF from end to end, as untrusted content", async () => {
    const bytes = tinyPdf(["Invoice 17", "Total: 1234.50 EUR"]);
    const id = await harness.upload({
      filename: "invoice.pdf",
      contentType: "application/pdf",
      bytes,
    });
    const created = await harness.post("/api/runs", {
      prompt: "Read the attached file and tell me the total.",
      uploadIds: [id],
    });
    const runId = created.json["id"] as string;
    const events = await logOf(runId);
    expect(events.slice(0, 3).map(({ type, seq }) => [seq, type])).toEqual([
      [1, "status"],
      [2, "message"],
      [3, "artifact"],
    ]);
    const upload = (await harness.get(`/api/uploads/${id}`)).json;
    expect(events[2]).toMatchObject({
      payload: {
        kind: "upload",
        name: "invoice.pdf",
        mediaType: "application/pdf",
        digest: upload["digest"],
        sizeBytes: bytes.length,
      },
    });
    const read = events.find((event) => event.type === "tool" && event.payload.phase === "end");
    expect(read).toMatchObject({
      payload: {
        name: "document_read",
        outcome: "completed",
        label: { origin: "document", trusted: false, private: true },
        output: { untrusted: true, kind: "pdf" },
      },
    });
    expect(
      await harness.runtime.clientFor("eva").call("GET /api/runs/:id", { params: { id: runId } }),
    ).toMatchObject({
      status: "completed",
      summary: "It says: Total: 1234.50 EUR",
    });
    expect((await harness.get(`/api/runs/${runId}/artifacts`)).json).toMatchObject({
      artifacts: [
        { kind: "upload", name: "invoice.pdf" },
        { kind: "pdf_summary", name: "invoice.pdf.txt" },
      ],
    });
    expect(upload["runId"]).toBe(runId);
  });

  it("BR9 keeps them in a retry, which reuses what was read", async () => {
    const bytes = tinyPdf(["Total: 7.00 EUR"]);
    const id = await harness.upload({
      filename: "invoice.pdf",
      contentType: "application/pdf",
      bytes,
    });
    const { json } = await harness.post("/api/runs", {
      prompt: "Read the attached file.",
      uploadIds: [id],
    });
    await harness.waitForEnd(json["id"] as string);
    const again = await harness.post(`/api/runs/${json["id"] as string}/retry`, {});
    expect(again.status).toBe(201);
    const events = await logOf(again.json["id"] as string);
    expect(events[2]).toMatchObject({
      type: "artifact",
      payload: { kind: "upload", name: "invoice.pdf" },
    });
    expect(
      await harness.runtime
        .clientFor("eva")
        .call("GET /api/runs/:id", { params: { id: again.json["id"] as string } }),
    ).toMatchObject({
      summary: "It says: Total: 7.00 EUR",
    });
  });

  it("BR9 mentions no files to the model if none were attached", async () => {
    const { json } = await harness.post("/api/runs", { prompt: "Read the attached file." });
    await harness.waitForEnd(json["id"] as string);
    expect(
      await harness.runtime
        .clientFor("eva")
        .call("GET /api/runs/:id", { params: { id: json["id"] as string } }),
    ).toMatchObject({
      summary: "There is no file.",
    });
  });
});
