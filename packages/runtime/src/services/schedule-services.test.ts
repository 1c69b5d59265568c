import { defineTool } from "@bron/core";
import { memoryStore } from "@bron/memory-store";
import { scopes, type Scope } from "@bron/protocol";
import { scriptedLanguageModel } from "@bron/testing";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRuntime } from "../create-runtime.ts";
import type { Runtime } from "../runtime.ts";

const ownerId = "local";
const stranger = "eva@partner.example";
const prompt = `Email ${stranger} the report`;
const timing = { kind: "cron", expression: "0 8 * * 1-5", zone: "Europe/Berlin" } as const;

const opened: Runtime[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
});

const send = defineTool({
  name: "send",
  description: "Sends.",
  input: z.object({ to: z.string() }),
  sideEffect: true,
  effectKind: "send_mail",
  facts: ({ to }: { to: string }) => ({
    kind: "mail" as const,
    account: "mara@lindqvist.example",
    recipients: [{ address: to, role: "to" as const }],
    hosts: [],
    attachments: [],
    warnings: [],
  }),
  execute: () => "sent",
});

/** Every task sends an email to the same person, at the level `autonomous`. */
async function open() {
  const runtime = await createRuntime({
    store: memoryStore(),
    tools: [send],
    model: {
      name: "scripted",
      maxOutputTokens: 100,
      model: scriptedLanguageModel(({ options: { prompt: messages } }) =>
        messages.at(-1)?.role === "user"
          ? { calls: [{ tool: "send", input: { to: stranger } }] }
          : { text: "Done." },
      ),
    },
  });
  opened.push(runtime);
  const client = runtime.clientFor(ownerId);
  const [bron] = (await client.call("GET /api/brons")).brons;
  await client.call("PATCH /api/brons/:id", {
    params: { id: bron!.id },
    body: { trustLevel: "autonomous" },
  });
  const silent: readonly Scope[] = scopes.filter((scope) => scope !== "speak");
  const program = runtime.clientFor({
    ownerId,
    via: "token",
    scopes: [...silent],
    email: null,
    tokenId: "t",
    tokenName: "Nightly",
  });
  /** Starts the task of a schedule, and returns the status in which it waits or ends. */
  const runNow = async (id: string) => {
    const run = await client.call("POST /api/schedules/:id/run", { params: { id }, body: {} });
    for await (const _ of client.events(run.id, { untilParked: true }));
    return (await client.call("GET /api/runs/:id", { params: { id: run.id } })).status;
  };
  return { client, program, runNow };
}

describe("the words of a schedule", () => {
  it("BR27 X3 count as the owner's each time if the owner typed them", async () => {
    const { client, runNow } = await open();
    const schedule = await client.call("POST /api/schedules", { body: { prompt, ...timing } });
    expect(schedule).toMatchObject({ writtenBy: "owner", title: prompt });
    expect(schedule.nextTimes).toHaveLength(3);
    expect(await runNow(schedule.id)).toBe("completed");
    expect(await runNow(schedule.id)).toBe("completed");
  });

  it("BR27 X3 ask for nothing if a program sent them, until the owner makes them theirs", async () => {
    const { client, program, runNow } = await open();
    const { id, writtenBy } = await program.call("POST /api/schedules", {
      body: { prompt, ...timing },
    });
    expect(writtenBy).toBe("program");
    expect(await runNow(id)).toBe("awaiting_confirmation");
    await program.call("PATCH /api/schedules/:id", { params: { id }, body: { prompt } });
    expect(await runNow(id)).toBe("awaiting_confirmation");
    const own = await client.call("PATCH /api/schedules/:id", { params: { id }, body: { prompt } });
    expect(own.writtenBy).toBe("owner");
    expect(await runNow(id)).toBe("completed");
  });

  it("BR27 lower the trust level of the Bron, and never raise it", async () => {
    const { client, runNow } = await open();
    const { id } = await client.call("POST /api/schedules", {
      body: { prompt, ...timing, trustLevel: "supervised" },
    });
    expect(await runNow(id)).toBe("awaiting_confirmation");
    const [bron] = (await client.call("GET /api/brons")).brons;
    await client.call("PATCH /api/brons/:id", {
      params: { id: bron!.id },
      body: { trustLevel: "supervised" },
    });
    const raised = await client.call("POST /api/schedules", {
      body: { prompt, ...timing, trustLevel: "autonomous" },
    });
    expect(await runNow(raised.id)).toBe("awaiting_confirmation");
  });

  it("BR27 previews a timing in words, and rejects what it does not understand", async () => {
    const { client } = await open();
    const preview = await client.call("POST /api/schedules/preview", { body: timing });
    expect(preview.words).toBe("Every weekday at 08:00");
    expect(preview.nextTimes).toHaveLength(3);
    await expect(
      client.call("POST /api/schedules/preview", { body: { ...timing, expression: "soon" } }),
    ).rejects.toMatchObject({ code: "invalid_input" });
    await expect(
      client.call("POST /api/schedules", {
        body: { prompt, ...timing, watch: { source: "page", query: "not a url" } },
      }),
    ).rejects.toMatchObject({ code: "invalid_input" });
  });
});
