import type { ApprovalView, JsonObject, JsonValue } from "@bron/protocol";
import pg from "pg";
import type { SignInHarness } from "./sign-in-harness.ts";

/**
 * A run that has shown a mail and waits for approval. Several owners share the mailbox, and the
 * subject tells their mails apart.
 */
export interface ShownMail {
  readonly harness: SignInHarness;
  readonly ownerId: string;
  readonly runId: string;
  readonly subject: string;
  readonly approval: ApprovalView;
  readonly raw: string;
  /** The draft that was shown, if the mail is sent from a draft. */
  readonly draftId: string;
}

export async function showMail(
  harness: SignInHarness,
  name: string,
  how: "draft" | "send",
): Promise<ShownMail> {
  const subject = `mail of ${name}`;
  await harness.connect(name);
  const { id: runId, status } = await harness.runUntilParked(name, `${how}: ${subject}`);
  const [approval] = await harness.runtime
    .clientFor(name)
    .list("GET /api/approvals", { runId, pending: "true" });
  if (!approval) {
    const ends = (await harness.events(name, runId)).flatMap((event) =>
      event.type === "tool" && event.payload.phase === "end"
        ? [event.payload.error?.message ?? event.payload.outcome]
        : [],
    );
    throw new Error(`Nothing was shown; the run is ${status}: ${ends.join("; ")}`);
  }
  const { raw, draftId } = approval.prepared as { raw: string; draftId: string };
  return { harness, ownerId: name, runId, subject, approval, raw, draftId };
}

/**
 * Approves as a person who was shown the mail. Returns "approved" or the error code of the refusal.
 */
export async function approveShown(
  { harness, ownerId, approval }: ShownMail,
  seen: Partial<{ ownerId: string; approvalId: string; digest: string }> = {},
): Promise<string> {
  try {
    await harness.runtime
      .clientFor(seen.ownerId ?? ownerId)
      .call("POST /api/approvals/:id/approve", {
        params: { id: seen.approvalId ?? approval.id },
        body: { digest: seen.digest ?? approval.digest },
      });
    return "approved";
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

export function sentOf({ harness, subject }: ShownMail) {
  return harness.simulator
    .record()
    .sent.filter((mail) => mail.by === "app" && mail.subject === subject);
}

/** Acts as an attacker who can write to the database but does not have the secret key. */
export async function withDatabase<T>(
  { harness }: Pick<ShownMail, "harness">,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: harness.databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Changes the recorded content that was shown. */
export async function rewritePrepared(
  mail: ShownMail,
  change: (prepared: JsonObject) => JsonObject,
): Promise<void> {
  await withDatabase(mail, async (client) => {
    const { rows } = await client.query<{
      seq: number;
      events: { type: string; payload: Record<string, JsonValue> }[];
    }>("select seq, events from run_log where run_id = $1", [mail.runId]);
    for (const { seq, events } of rows) {
      const shown = events.find(
        ({ type, payload }) =>
          type === "effect" &&
          payload["effectId"] === mail.approval.effectId &&
          payload["prepared"] !== undefined,
      );
      if (!shown) continue;
      shown.payload["prepared"] = change(shown.payload["prepared"] as JsonObject);
      await client.query("update run_log set events = $3 where run_id = $1 and seq = $2", [
        mail.runId,
        seq,
        JSON.stringify(events),
      ]);
      await client.query("update effects set prepared = $2 where id = $1", [
        mail.approval.effectId,
        JSON.stringify(shown.payload["prepared"]),
      ]);
    }
  });
}
