import { defaultCaps, type Caps } from "@bron/protocol";
import { createLoopHarness, isFullSuite, sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Draw, Lease } from "../ports/runs/run-log.ts";
import { afford, reserveMicrousd } from "./reservation.ts";

const ownerId = "owner";

/** A run of the tree: where it hangs, and its own cap. Both are taken modulo what is possible. */
interface Node {
  readonly parent: number;
  readonly capShare: number | undefined;
}

/** What happens to one run. A kill loses the response of its model call. */
interface Happening {
  readonly run: number;
  readonly kind: "call" | "settle" | "kill" | "end";
  readonly outputTokens: number;
  readonly share: number;
}

const node: fc.Arbitrary<Node> = fc.record({
  parent: fc.nat(),
  capShare: fc.option(fc.double({ min: 0.1, max: 1, noNaN: true }), { nil: undefined }),
});
const happening: fc.Arbitrary<Happening> = fc.record({
  run: fc.nat(),
  kind: fc.constantFrom("call", "call", "settle", "kill", "end"),
  outputTokens: fc.integer({ min: 1, max: 400 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
});

const price = { inputMicrousdPerMillion: 1_000, outputMicrousdPerMillion: 1_000_000 };

interface Member {
  readonly id: string;
  readonly caps: Caps;
  readonly parent: Member | undefined;
  children: number;
  lease: Lease;
  seq: number;
  spent: number;
  reserved: number;
  drawn: number;
  steps: number;
  hasEnded: boolean;
}

/** A tree on one store. Each run does what the loop does: it affords, appends, settles and ends. */
async function growTree(nodes: readonly Node[], rootCap: number, ownerCap: number | null) {
  const { store } = createLoopHarness({ script: () => ({ text: "unused" }) });
  await store.budgets.setOwnerCap(ownerId, ownerCap);
  const members: Member[] = [];
  const claim = async (runId: string, worker: string) => {
    const claimed = await store.log.claim({
      runId,
      worker,
      leaseMs: 60_000,
      takeOverUntil: Number.MAX_SAFE_INTEGER,
      serves: [],
      maxPerOwner: 10_000,
      maxInAll: 10_000,
    });
    if (!claimed.claimed) throw new Error(claimed.reason);
    return claimed;
  };
  const add = async (caps: Caps, parent?: Member) => {
    const { run } = await store.runs.create({
      ownerId,
      input: { prompt: "x" },
      title: "x",
      caps,
      ...(parent ? { parent: { runId: parent.id, failureMode: "best_effort" } } : {}),
    });
    if (parent) Object.assign(parent, { children: parent.children + 1, seq: parent.seq + 1 });
    const { lease, lastSeq } = await claim(run.id, "w0");
    const numbers = { children: 0, spent: 0, reserved: 0, drawn: 0, steps: 0 };
    const state = { ...numbers, seq: lastSeq, lease, hasEnded: false };
    members.push({ id: run.id, caps, parent, ...state });
  };
  await add({ ...defaultCaps, costMicrousd: rootCap, steps: 200 });
  for (const { parent, capShare } of nodes) {
    const above = members[parent % members.length]!;
    const costMicrousd = Math.floor((above.caps.costMicrousd ?? 0) * (capShare ?? 1));
    await add({ ...above.caps, costMicrousd }, above);
  }
  return { store, members, claim };
}

type Tree = Awaited<ReturnType<typeof growTree>>;

async function write(
  { store }: Tree,
  member: Member,
  extra: { release?: "end"; draw?: Draw },
  charged: number,
) {
  const result = await store.log.append({
    lease: member.lease,
    seen: member.seq,
    events: [{ type: "log", payload: { level: "info", message: "x" } }],
    leaseMs: 60_000,
    chargedMicrousd: charged,
    ...extra,
  });
  if (!result.ok) return result.reason;
  member.seq = result.lastSeq;
  member.drawn = result.drawnMicrousd;
  return "written";
}

async function happen(
  tree: Tree,
  { run, kind, outputTokens, share }: Happening,
  ownerCap: number | null,
) {
  const member = tree.members[run % tree.members.length]!;
  if (member.hasEnded) return;
  if (kind === "call" && member.reserved === 0) {
    const reservedMicrousd = reserveMicrousd(1_000, { maxOutputTokens: outputTokens, price });
    const affordable = afford(
      {
        caps: member.caps,
        ownerCapMicrousd: ownerCap,
        drawnMicrousd: member.drawn,
        spentMicrousd: member.spent,
        hasCappedAncestors: member.lease.cappedAncestors.length > 0,
        hasChildren: member.children > 0,
      },
      { reservedMicrousd, model: { name: "m", price }, steps: member.steps + 1 },
    );
    if (!affordable.ok) return;
    const { draw } = affordable;
    const written = await write(
      tree,
      member,
      draw ? { draw } : {},
      member.spent + reservedMicrousd,
    );
    if (written !== "written") return expect(written).toBe("budget");
    Object.assign(member, { reserved: reservedMicrousd, steps: member.steps + 1 });
  }
  if (kind === "settle") {
    const spent = member.spent + Math.floor(member.reserved * share);
    Object.assign(member, { spent, reserved: 0 });
    await write(tree, member, {}, spent);
  }
  if (kind === "kill") {
    // The next worker charges the reservation of a call that it knows nothing about.
    member.lease = (await tree.claim(member.id, member.lease.worker)).lease;
    Object.assign(member, { spent: member.spent + member.reserved, reserved: 0 });
    await write(tree, member, {}, member.spent);
  }
  if (kind === "end") {
    const spent = member.spent + member.reserved;
    Object.assign(member, { spent, reserved: 0, hasEnded: true });
    expect(await write(tree, member, { release: "end" }, spent)).toBe("written");
  }
}

const isBelow = (member: Member | undefined, root: Member): boolean =>
  member !== undefined && (member === root || isBelow(member.parent, root));

/** What a run and all runs below it have spent and reserved. */
const chargeOf = ({ members }: Tree, root: Member) =>
  members
    .filter((member) => isBelow(member, root))
    .reduce((sum, { spent, reserved }) => sum + spent + reserved, 0);

function checkCaps(tree: Tree, ownerCap: number | null): void {
  for (const member of tree.members)
    expect(chargeOf(tree, member)).toBeLessThanOrEqual(member.caps.costMicrousd ?? 0);
  if (ownerCap !== null) expect(chargeOf(tree, tree.members[0]!)).toBeLessThanOrEqual(ownerCap);
}

describe("the budget of a tree of runs", () => {
  it("X6 is never exceeded by any order of calls, kills and ends in any tree", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(node, { maxLength: 8 }),
        fc.array(happening, { maxLength: 60 }),
        fc.integer({ min: 0, max: 4_000 }),
        fc.option(fc.integer({ min: 0, max: 4_000 })),
        async (nodes, happenings, rootCap, ownerCap) => {
          const tree = await growTree(nodes, rootCap, ownerCap);
          for (const one of happenings) {
            await happen(tree, one, ownerCap);
            checkCaps(tree, ownerCap);
          }
        },
      ),
      { numRuns: sampleCount(800) },
    );
  });

  it("X6 is shared by 100 children with random prices and kills, and used up", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(happening, { minLength: isFullSuite ? 3_000 : 800, maxLength: 3_000 }),
        async (happenings) => {
          const cap = 20_000;
          const children = Array.from({ length: 100 }, () => ({ parent: 0, capShare: undefined }));
          const tree = await growTree(children, cap, null);
          for (const one of happenings) await happen(tree, one, null);
          checkCaps(tree, null);
          // What ended runs did not spend can be spent by the root.
          for (const [run, member] of tree.members.entries())
            if (run > 0 && !member.hasEnded)
              await happen(tree, { run, kind: "end", outputTokens: 1, share: 1 }, null);
          const root = tree.members[0]!;
          if (root.hasEnded) return;
          const left = cap - chargeOf(tree, root) + root.reserved;
          const draw = { needMicrousd: 0, blockMicrousd: 0, isInTree: true };
          expect(await write(tree, root, { draw }, root.spent + left + 1)).toBe("budget");
          expect(await write(tree, root, { draw }, root.spent + left)).toBe("written");
        },
      ),
      { numRuns: isFullSuite ? 40 : 1 },
    );
  });
});
