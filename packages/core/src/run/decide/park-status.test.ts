import type { RunStatus } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { parkStatus } from "./park-status.ts";
import type { OpenAction } from "../state/run-state.ts";

const waiting = (fields: Partial<OpenAction>): OpenAction => ({
  id: JSON.stringify(fields),
  callId: "call",
  step: 1,
  tool: "post",
  input: {},
  state: "planned",
  attempts: 0,
  ...fields,
});
const asked = waiting({ state: "awaiting_confirmation" });
const signIn = waiting({ needsAuth: "google" });
const awaitsChild = waiting({ awaits: "child" });

const failureMode = "best_effort";
const statusOf = (open: readonly OpenAction[], childStatus?: RunStatus) =>
  parkStatus({
    open: new Map(open.map((action) => [action.id, action])),
    children: new Map(
      childStatus
        ? [["child", { title: "part", status: childStatus, notDone: 0, failureMode }]]
        : [],
    ),
  });

describe("parkStatus", () => {
  it.each([
    ["an approval", [asked], undefined, "awaiting_confirmation"],
    ["an account", [signIn], undefined, "awaiting_auth"],
    ["an account and an approval", [signIn, asked], undefined, "awaiting_confirmation"],
    ["a child run that works", [awaitsChild], "executing", "executing"],
    ["a child run that asks", [awaitsChild], "awaiting_confirmation", "awaiting_confirmation"],
    ["a child run without its account", [awaitsChild], "awaiting_auth", "awaiting_auth"],
    [
      "an account and a child run that asks",
      [signIn, awaitsChild],
      "awaiting_confirmation",
      "awaiting_confirmation",
    ],
    ["an account and a child run that works", [signIn, awaitsChild], "executing", "awaiting_auth"],
    ["an unknown child run", [awaitsChild], undefined, "executing"],
  ] as const)("of a run that waits for %s", (_, open, childStatus, status) => {
    expect(statusOf(open, childStatus)).toBe(status);
  });

  it("ignores a child run that no open action waits for", () => {
    expect(statusOf([signIn], "awaiting_confirmation")).toBe("awaiting_auth");
  });
});
