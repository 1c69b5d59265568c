import { randomUUID } from "node:crypto";
import {
  BronError,
  type AppendRequest,
  type ClaimRequest,
  type ClaimResult,
  type CreatedRun,
  type Lease,
  type NewRun,
  type Store,
  type ThreadMessage,
  type Wake,
} from "@bron/core";
import { defaultCaps, type NewEvent, type RunView } from "@bron/protocol";
import { afterAll, beforeAll, expect } from "vitest";

export interface StoreUnderTest {
  readonly store: Store;
  readonly wakes: readonly Wake[];
  /**
   * Ages everything in the store by this time, on the store's own clock, without waiting. The times
   * in these tests leave room for a machine that stalls.
   */
  passTime(ms: number): Promise<void>;
  close(): Promise<void>;
}

interface ParkedRun {
  readonly run: RunView;
  readonly ownerId: string;
  readonly actionId: string;
  readonly effectId: string;
  readonly approvalId: string;
  readonly digest: string;
  readonly lease: Lease;
}

export interface StoreHarness {
  /** May be used inside tests only, because `beforeAll` opens the store. */
  readonly store: Store;
  readonly under: Pick<StoreUnderTest, "wakes" | "passTime">;
  create(ownerId: string, extra?: Partial<NewRun>): Promise<CreatedRun>;
  createRun(ownerId: string, extra?: Partial<NewRun>): Promise<RunView>;
  /** Fails the test if the claim is rejected. */
  claim(
    runId: string,
    extra?: Partial<ClaimRequest>,
  ): Promise<Extract<ClaimResult, { claimed: true }>>;
  /** Creates a run that is parked on one approval. */
  parkedRun(ownerId?: string, expiresInMs?: number, extra?: Partial<NewRun>): Promise<ParkedRun>;
}

export const leaseMs = 60_000;
export const moreThanALeaseMs = 61_000;
const call = { actionId: "", callId: "c1", tool: "post", input: { text: "hi" } };
export const freshOwner = () => `owner-${randomUUID()}`;
export const note = (message: string): NewEvent => ({
  type: "log",
  payload: { level: "info", message },
});

export const claimOf = (runId: string, extra: Partial<ClaimRequest> = {}): ClaimRequest => ({
  runId,
  worker: "w1",
  leaseMs,
  takeOverUntil: Date.parse("2100-01-01"),
  serves: [],
  maxPerOwner: 100,
  maxInAll: 10_000,
  ...extra,
});

export const appendOf = (
  lease: Lease,
  seen: number,
  events: NewEvent[],
  extra: Partial<AppendRequest> = {},
): AppendRequest => ({ lease, seen, events, leaseMs, chargedMicrousd: 0, ...extra });

/** The tail of a thread, without the ids of its messages. */
export async function tailOf(
  { threads }: Pick<Store, "threads">,
  ...args: Parameters<Store["threads"]["tail"]>
): Promise<Omit<ThreadMessage, "id">[]> {
  const { messages } = await threads.tail(...args);
  return messages.map(({ id: _, ...message }) => message);
}

/** Opens a store before the tests of the enclosing `describe` and closes it after them. */
export function openStoreHarness(open: () => Promise<StoreUnderTest>): StoreHarness {
  let opened: StoreUnderTest;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(async () => await opened.close());

  const store = delegateTo(() => opened.store);
  const create: StoreHarness["create"] = async (ownerId, extra = {}) =>
    await store.runs.create({
      ownerId,
      input: { prompt: "say hello" },
      title: "say hello",
      caps: defaultCaps,
      ...extra,
    });
  const createRun: StoreHarness["createRun"] = async (ownerId, extra = {}) =>
    (await create(ownerId, extra)).run;
  const claim: StoreHarness["claim"] = async (runId, extra = {}) => {
    const claimed = await store.log.claim(claimOf(runId, extra));
    if (!claimed.claimed) throw new BronError("internal", `not claimed: ${claimed.reason}`);
    return claimed;
  };
  return {
    store,
    under: {
      get wakes() {
        return opened.wakes;
      },
      passTime: async (ms) => await opened.passTime(ms),
    },
    create,
    createRun,
    claim,
    async parkedRun(ownerId = freshOwner(), expiresInMs = 60_000, extra = {}) {
      const run = await createRun(ownerId, extra);
      const { lease, databaseNow } = await claim(run.id);
      const [actionId, effectId, approvalId] = [randomUUID(), randomUUID(), randomUUID()];
      const digest = `sha256:${effectId}`;
      const expiresAt = new Date(databaseNow + expiresInMs).toISOString();
      const ids = { actionId, effectId, approvalId };
      const events = requestApproval({ ...ids, digest, expiresAt });
      expect(await store.log.append(appendOf(lease, 2, events, { release: "park" }))).toMatchObject(
        {
          ok: true,
          lastSeq: 6,
        },
      );
      return { run, ownerId, ...ids, digest, lease };
    },
  };
}

/** A store whose members are looked up when they are used. */
function delegateTo(target: () => Store): Store {
  return new Proxy({} as Store, { get: (_, name) => target()[name as keyof Store] });
}

interface RequestedApproval {
  readonly actionId: string;
  readonly effectId: string;
  readonly approvalId: string;
  readonly digest: string;
  readonly expiresAt: string;
}

/** The events of an effect that waits for an approval. */
export function requestApproval({
  actionId,
  effectId,
  approvalId,
  digest,
  expiresAt,
}: RequestedApproval): NewEvent[] {
  return [
    {
      type: "step",
      payload: {
        phase: "end",
        step: 1,
        attempt: 1,
        finish: "tool-calls",
        calls: [{ ...call, actionId }],
      },
    },
    {
      type: "effect",
      payload: {
        effectId,
        actionId,
        tool: "post",
        state: "awaiting_confirmation",
        digest,
        prepared: { text: "hi" },
        preview: "post hi",
      },
    },
    {
      type: "approval",
      payload: {
        approvalId,
        actionId,
        effectId,
        tool: "post",
        digest,
        state: "pending",
        reasons: ["because"],
        preview: "post hi",
        expiresAt,
      },
    },
    { type: "status", payload: { status: "awaiting_confirmation" } },
  ];
}
