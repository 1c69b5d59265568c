import { describe, expect, it } from "vitest";
import {
  actionStateOfEffect,
  actionStates,
  effectStates,
  isParked,
  isTerminal,
  runStates,
  runtimeStatusOf,
  webStatusOf,
} from "./states.ts";

describe("states", () => {
  it("RT6 are defined in three vocabularies", () => {
    expect(
      runStates.map((state) => [state, webStatusOf[state], runtimeStatusOf[state]].join(" ")),
    ).toEqual([
      "queued queued queued",
      "planning running planning",
      "executing running executing",
      "awaiting_confirmation needs_approval awaiting_confirmation",
      "awaiting_auth needs_auth awaiting_confirmation",
      "completed succeeded completed",
      "failed failed failed",
      "canceled canceled canceled",
    ]);
    expect(actionStates).toEqual([
      "planned",
      "awaiting_confirmation",
      "executing",
      "completed",
      "failed",
      "rejected",
      "canceled",
      "unknown",
    ]);
  });

  it("RT6 of effects map to states of actions", () => {
    expect(effectStates.map((state) => `${state} ${actionStateOfEffect[state]}`)).toEqual([
      "proposed planned",
      "awaiting_confirmation awaiting_confirmation",
      "approved planned",
      "attempting executing",
      "done completed",
      "failed failed",
      "unknown unknown",
      "rejected rejected",
      "expired rejected",
      "superseded rejected",
      "canceled canceled",
    ]);
  });

  it("are terminal, parked or neither", () => {
    expect(runStates.filter(isTerminal)).toEqual(["completed", "failed", "canceled"]);
    expect(runStates.filter(isParked)).toEqual(["awaiting_confirmation", "awaiting_auth"]);
  });
});
