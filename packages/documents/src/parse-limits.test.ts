import { isFullSuite } from "@bron/testing";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hostileFiles } from "./fixtures/hostile-files.fixture.ts";
import { pdfBomb, pdfWithBombAtItsEnd } from "./fixtures/pdf-files.fixture.ts";
import { childrenOf, maxBusyMs, watchChildren } from "./fixtures/watch-children.fixture.ts";
import { tryIsolation } from "./isolation/isolation.ts";
import { availableJails } from "./isolation/jails.ts";
import { parseDocument } from "./parse-document.ts";

const onLinux = { skip: process.platform !== "linux" };
/** Without a jail, and in the long form also inside the strongest one. */
const isolations = [
  await tryIsolation([]),
  ...(isFullSuite ? [await tryIsolation(availableJails())] : []),
].filter((one, index, all) => index === 0 || one.level !== all[0]?.level);

/**
 * The short form takes one file for each limit: memory, size, depth and pixels. Other short tests
 * reach the limit of length, over 20 MB of text and in endless tables.
 */
const oneForEachLimit = new Set([
  "a stream of 500 MB",
  "a workbook of 1 GB that declares its size",
  "a workbook of 1 GB that declares a smaller size",
  "a page of 100,000 levels",
  "an image of 3.6 billion pixels",
]);
const chosenFiles = hostileFiles.filter(([name]) => isFullSuite || oneForEachLimit.has(name));

/** Generous limits, so that the machine's speed does not decide which one a file hits. */
const patient = { startMs: 100_000, stallMs: 100_000 };

for (const isolation of isolations) {
  describe(`a hostile file, with ${isolation.level} (BR22)`, onLinux, () => {
    it.for(chosenFiles)(
      "%s: stays below 560 MB, ends, and does not affect this process",
      async ([, make, outcome]) => {
        const bytes = make();
        const { result, childPeakMb, ownGrowthMb, longestBusyMs } = await watchChildren(() =>
          parseDocument({ bytes, name: "bomb", isolation, limits: patient }),
        );
        expect(
          result.status === "rejected"
            ? `${result.reason.code} ${result.reason.message}`
            : `read ${result.value.text.length} ${result.value.warnings.join(" ")}`,
        ).toMatch(outcome);
        expect(childPeakMb).toBeGreaterThan(40);
        expect(childPeakMb).toBeLessThan(560);
        expect(ownGrowthMb).toBeLessThan(60);
        expect(longestBusyMs).toBeLessThan(maxBusyMs);
        expect(childrenOf(process.pid)).toEqual([]);
      },
    );
  });
}

describe("a parser that is stopped", () => {
  const roomy = { maxMemoryBytes: 4 * 1024 ** 3 };

  it("for lack of progress fails as a timeout", async () => {
    const parsing = parseDocument({
      bytes: pdfBomb(),
      name: "slow.pdf",
      limits: { ...roomy, startMs: 700, stallMs: 700 },
    });
    await expect(parsing).rejects.toMatchObject({
      code: "tool_timeout",
      retryable: false,
      message: expect.stringContaining("no progress for 0.7s"),
    });
  });

  it("at the overall limit fails as a timeout", async () => {
    await expect(
      parseDocument({ bytes: pdfBomb(), limits: { ...roomy, hardMs: 600 } }),
    ).rejects.toMatchObject({
      code: "tool_timeout",
      message: expect.stringContaining("not finished after 0.6s"),
    });
  });

  it("returns what it had read before", async () => {
    const bytes = await pdfWithBombAtItsEnd([[{ text: "one" }], [{ text: "two" }]]);
    const partial = {
      kind: "pdf",
      pageCount: 3,
      pages: [
        { number: 1, text: "one" },
        { number: 2, text: "two" },
      ],
    };
    const limits = { ...patient, maxMemoryBytes: 256 * 1024 ** 2 };
    await expect(parseDocument({ bytes, limits })).rejects.toMatchObject({
      code: "too_large",
      details: { partial },
    });
  });

  it("by its caller is killed at once, and the signal's reason is the error", onLinux, async () => {
    const controller = new AbortController();
    const reason = new DOMException("enough", "AbortError");
    const parsing = parseDocument({ bytes: pdfBomb(), signal: controller.signal });
    await expect.poll(() => childrenOf(process.pid), { interval: 5 }).not.toEqual([]);
    controller.abort(reason);
    await expect(parsing).rejects.toBe(reason);
    expect(childrenOf(process.pid)).toEqual([]);
    await expect(parseDocument({ bytes: pdfBomb(), signal: controller.signal })).rejects.toBe(
      reason,
    );
  });

  it("by the death of its parent does not survive", onLinux, async () => {
    const parent = spawn(
      process.execPath,
      [fileURLToPath(new URL("./fixtures/parse-bomb.fixture.ts", import.meta.url))],
      { stdio: "ignore" },
    );
    const parserOf = () => childrenOf(parent.pid ?? 0);
    await expect
      .poll(() => parserOf().some((pid) => threadsOf(pid) > 8), { interval: 10 })
      .toBe(true);
    const parsers = parserOf();
    parent.kill("SIGKILL");
    await expect
      .poll(() => parsers.filter((pid) => threadsOf(pid) > 0), { interval: 10 })
      .toEqual([]);
  });
});

describe("the parser process", onLinux, () => {
  it("has no environment, and at most two run at once", async () => {
    const controller = new AbortController();
    const parsing = Array.from({ length: 4 }, () =>
      parseDocument({ bytes: pdfBomb(), signal: controller.signal, isolation: isolations[0] }),
    );
    await expect.poll(() => childrenOf(process.pid), { interval: 5 }).toHaveLength(2);
    for (const pid of childrenOf(process.pid))
      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toBe("");
    controller.abort(new DOMException("enough", "AbortError"));
    expect((await Promise.allSettled(parsing)).every(({ status }) => status === "rejected")).toBe(
      true,
    );
    expect(childrenOf(process.pid)).toEqual([]);
  });
});

/** Empty for a process that is gone or a zombie. */
function threadsOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return /State:\s+Z/.test(status) ? 0 : Number(/Threads:\s+(\d+)/.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
