import { maxClientResultBytes, maxPromptBytes } from "@bron/protocol";
import { randomUUID } from "node:crypto";

const owners = ["eva", "max"] as const;
export type Owner = (typeof owners)[number];

/** A run with an open question and a client action that a program has taken. */
export interface Target {
  readonly owner: Owner;
  readonly runId: string;
  readonly questionId: string;
  readonly actionId: string;
  readonly secret: string;
  readonly hasEnded: boolean;
}

/** How a request is authenticated. Only `all` may do everything. */
const signIns = ["all", "read", "wrong", "none"] as const;

export interface ForgedRequest {
  readonly owner: Owner;
  readonly signIn: (typeof signIns)[number];
  readonly path: string;
  readonly body: string;
  readonly contentType: string;
  readonly idempotencyKey: string;
  /** The status of a correct response. 200 means that the request is right after all. */
  readonly status: number;
  /** A repetition of a message that was accepted. It succeeds and changes nothing. */
  readonly isRepeated: boolean;
}

interface Draft {
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
  readonly isRepeated?: boolean;
}

/** The key of the message that the first target has heard. */
export const usedKey = "said";
export const usedContent = "Hurry";

/** The request of the message that the target has heard, once more. */
export function repetition({ owner, runId }: Target): ForgedRequest {
  return {
    owner,
    signIn: "all",
    path: `/api/runs/${runId}/messages`,
    body: JSON.stringify({ content: usedContent }),
    contentType: "application/json",
    idempotencyKey: usedKey,
    status: 200,
    isRepeated: true,
  };
}

/** Returns a function that forges requests to these targets. */
export function createForger(
  random: () => number,
  targets: readonly Target[],
): () => ForgedRequest {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const anyTarget = () => pick(targets);
  const odd = () => pick([randomUUID(), "x", "../runs", "0", "a".repeat(2_000), "%25"]);
  const replaceCharacter = (text: string) => {
    const at = Math.floor(random() * text.length);
    return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
  };
  /** Keeps the value two times in three. */
  const mutate = <T>(value: T, other: () => T): T => (random() < 0.66 ? value : other());

  const forgeFinish = (from: Target, owner: Owner): Draft => {
    const runId = mutate(from.runId, () => mutate(anyTarget().runId, odd));
    const actionId = mutate(from.actionId, () =>
      pick([anyTarget().actionId, from.questionId, odd()]),
    );
    const secret = mutate<unknown>(from.secret, () =>
      pick<unknown>([
        pick<unknown>(["", 7, null, "x".repeat(300)]),
        replaceCharacter(from.secret),
        anyTarget().secret,
      ]),
    );
    const [report, kind] = pick(reports);
    const hit = targets.find((one) => one.actionId === actionId && one.runId === runId);
    const isFormal = typeof secret === "string" && secret.length > 0 && secret.length <= 200;
    return {
      path: `/api/runs/${encodeURIComponent(runId)}/actions/${encodeURIComponent(actionId)}/finish`,
      body: { secret, ...report },
      status: firstOf([
        [!isFormal || kind === "malformed", 400],
        [hit?.owner !== owner, 404],
        [hit?.secret !== secret, 403],
        [hit?.hasEnded === true, 409],
        [kind === "too long", 413],
        [kind === "unsuitable", 400],
      ]),
    };
  };

  const forgeAnswer = (from: Target, owner: Owner): Draft => {
    const id = mutate(from.questionId, () =>
      pick([anyTarget().questionId, from.actionId, from.runId, odd()]),
    );
    const [body, kind] = pick(answers);
    const hit = targets.find(({ questionId }) => questionId === id);
    return {
      path: `/api/questions/${encodeURIComponent(id)}/answer`,
      body,
      status: firstOf([
        [kind === "malformed", 400],
        [hit?.owner !== owner, 404],
        [kind === "unknown choice", 400],
        [hit?.hasEnded === true, 409],
      ]),
    };
  };

  /** Words to a run that has ended start its next task, so those are not forged here. */
  const forgeWords = (from: Target, owner: Owner): Draft & { readonly key: string } => {
    const open = targets.filter(({ hasEnded }) => !hasEnded);
    const target = from.hasEnded ? pick(open) : from;
    const runId = mutate(target.runId, () => pick([from.actionId, pick(open).runId, odd()]));
    const [content, status] = pick(contents);
    const key = pick([usedKey, usedKey, randomUUID(), "a key with spaces", "k".repeat(300)]);
    const hit = targets.find((one) => one.runId === runId);
    return {
      path: `/api/runs/${encodeURIComponent(runId)}/messages`,
      body: { content },
      key,
      isRepeated: key === usedKey && runId === targets[0]?.runId && content === usedContent,
      status: firstOf([
        [status === 400 || !/^[!-~]{1,255}$/.test(key), 400],
        [status === 413, 413],
        [hit?.owner !== owner, 404],
      ]),
    };
  };

  return () => {
    const from = anyTarget();
    const owner = mutate(from.owner, () => pick(owners));
    const signIn = mutate<ForgedRequest["signIn"]>("all", () => pick(signIns));
    const draft = pick([forgeFinish, forgeFinish, forgeAnswer, forgeWords])(from, owner);
    const key = "key" in draft ? String(draft.key) : randomUUID();
    const contentType = mutate("application/json", () => pick(["application/json", "text/plain"]));
    const isCut = random() < 0.05;
    const whole = JSON.stringify(draft.body);
    const status = firstOf([
      [signIn === "none" || signIn === "wrong", 401],
      [contentType === "text/plain", 415],
      [signIn === "read", 403],
      [isCut, 400],
      [draft.status !== 200, draft.status],
    ]);
    return {
      owner,
      signIn,
      path: draft.path,
      body: isCut ? whole.slice(0, -1) : whole,
      contentType,
      idempotencyKey: key,
      status,
      isRepeated: status === 200 && draft.isRepeated === true,
    };
  };
}

/** The status of the first rule that holds, or 200. */
function firstOf(rules: readonly (readonly [boolean, number])[]): number {
  return rules.find(([holds]) => holds)?.[1] ?? 200;
}

const reports = [
  [{ result: { text: "forged" } }, "suitable"],
  [{ result: { text: "forged" } }, "suitable"],
  [{ error: "forged" }, "suitable"],
  [{ result: { text: 1 } }, "unsuitable"],
  [{ result: { text: "x".repeat(maxClientResultBytes) } }, "too long"],
  [{ result: { text: "" }, error: "x" }, "malformed"],
  [{ error: "" }, "malformed"],
  [{ error: {} }, "malformed"],
  [{}, "malformed"],
  [{ result: { text: "" }, more: 1 }, "malformed"],
] as const;

const answers = [
  [{ typed: "forged" }, "suitable"],
  [{ typed: "forged" }, "suitable"],
  [{ choice: 1 }, "suitable"],
  [{ choice: 3 }, "unknown choice"],
  [{}, "malformed"],
  [{ typed: "x", choice: 1 }, "malformed"],
  [{ choice: 0 }, "malformed"],
  [{ choice: 1.5 }, "malformed"],
  [{ choice: "1" }, "malformed"],
  [{ typed: " " }, "malformed"],
  [{ typed: 7 }, "malformed"],
  [{ typed: "x".repeat(10_001) }, "malformed"],
] as const;

const contents = [
  [usedContent, 200],
  [usedContent, 200],
  [usedContent, 200],
  ["", 400],
  ["  ", 400],
  [7, 400],
  [null, 400],
  [["x"], 400],
  ["x".repeat(maxPromptBytes + 1), 413],
] as const;
