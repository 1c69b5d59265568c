import type { Runs } from "@bron/core";
import type { RunEvent, RunView } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { crossOutAsk } from "./cross-out-ask.ts";

const plan = {
  type: "intent",
  payload: {
    state: "read",
    callId: "c",
    asks: [{ key: "k", kind: "post", words: "post it", times: "once", people: [], things: [] }],
    prohibitions: [],
  },
};

/** A child run, whose words were read in its own log. */
function runsWith(result: Awaited<ReturnType<Runs["crossOutAsk"]>>) {
  const crossedOut: string[] = [];
  const runs: Pick<Runs, "get" | "events" | "crossOutAsk"> = {
    get: (_, id) => Promise.resolve({ id, parentRunId: id === "child" ? "root" : null } as RunView),
    events: () => Promise.resolve([plan as unknown as RunEvent]),
    crossOutAsk: (_, rootRunId, key) => (
      crossedOut.push(`${rootRunId} ${key}`),
      Promise.resolve(result)
    ),
  };
  return { runs, crossedOut };
}

describe("crossing out a request", () => {
  it("is about the whole task, also from a child run", async () => {
    const { runs, crossedOut } = runsWith("crossed_out");
    await crossOutAsk(runs, "local", { runId: "child", key: "k" });
    expect(crossedOut).toEqual(["root k"]);
  });

  it.each([
    ["used", "Bron has already used this request."],
    ["ended", "This task has ended."],
  ] as const)("says that it is too late: %s", async (result, message) => {
    const { runs } = runsWith(result);
    await expect(crossOutAsk(runs, "local", { runId: "root", key: "k" })).rejects.toMatchObject({
      code: "conflict",
      message,
    });
  });

  it("does not know a request that the log does not have", async () => {
    const { runs, crossedOut } = runsWith("crossed_out");
    const unknown = crossOutAsk(runs, "local", { runId: "root", key: "other" });
    await expect(unknown).rejects.toMatchObject({ code: "not_found" });
    expect(crossedOut).toEqual([]);
  });
});
