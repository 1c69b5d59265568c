import { expect } from "vitest";
import type { JudgedCase } from "../../mail/support/crash-matrix.ts";

/**
 * Checks by the simulator's record what must hold after any crash or lost response: no message is
 * posted twice, and none is lost without a word.
 */
export function judgePosts({ run, events, simulator, subject }: JudgedCase): string {
  const calls = simulator
    .record()
    .calls.slice(-25)
    .map(({ method, status, ending, fault }) => `${method} ${status ?? ending} ${fault ?? ""}`);
  const timeline = [
    ...events.map(({ seq, type, payload }) => `${seq} ${type} ${JSON.stringify(payload)}`),
    "At Slack:",
    ...calls,
  ].join("\n");
  expect(run.status, timeline).toBe("completed");
  const posted = simulator.record().posted.filter(({ text }) => text === subject);
  const ends = events.flatMap((event) =>
    event.type === "tool" && event.payload.phase === "end" ? [event.payload] : [],
  );
  const said = ["general", "@jonas"].map((channel, index) => {
    const done = posted.filter(({ channelName }) => channelName === channel);
    expect(done.length, `${channel}: ${done.length} times\n${timeline}`).toBeLessThanOrEqual(1);
    const end = ends[index];
    if (!end) return "not asked";
    if (end.outcome === "completed") {
      expect(done, timeline).toMatchObject([{ ts: (end.output as { ts?: string }).ts }]);
      return "posted";
    }
    if (end.outcome === "unknown") {
      const cards = events.flatMap((event) => (event.type === "ui" ? [event.payload.kind] : []));
      expect(cards, timeline).toContain("UnknownEffectCard");
      return "unknown";
    }
    expect(done, timeline).toEqual([]);
    expect(end.error?.message, timeline).toBeTruthy();
    return "not posted";
  });
  return said.join(" and ");
}
