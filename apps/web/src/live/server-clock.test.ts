import { describe, expect, it } from "vitest";
import { createServerClock } from "./server-clock.ts";

const second = "Sun, 15 Nov 2026 12:00:00 GMT";
const at = Date.parse(second);

describe("the server's clock in a browser", () => {
  it("X1 equals the local clock while that is possible", () => {
    const clock = createServerClock(() => at + 400);
    expect(clock.now()).toBe(at + 400);
    clock.hear(second, at + 300, at + 350);
    clock.hear(null, at, at);
    expect(clock.now()).toBe(at + 400);
  });

  it.each([8_000, -8_000, 86_400_000])(
    "X1 is estimated within two seconds when the local clock is %d ms ahead",
    (wrong) => {
      const own = at + 500 + wrong;
      const clock = createServerClock(() => own);
      clock.hear(second, own - 40, own);
      expect(Math.abs(clock.now() - (at + 500))).toBeLessThanOrEqual(1_500);
    },
  );

  it("X1 adapts when the local clock is changed", () => {
    let own = at + 100;
    const clock = createServerClock(() => own);
    clock.hear(second, own, own);
    own += 60_000;
    clock.hear(second, own, own);
    expect(clock.now()).toBeLessThanOrEqual(at + 1_500);
  });
});
