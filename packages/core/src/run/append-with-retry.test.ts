import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";

describe("an append whose response is lost", () => {
  it.each(["after the commit", "before the commit"])(
    "X2 is written once, and its work is started once, when the connection breaks %s",
    async (when) => {
      const ran: string[] = [];
      const once = defineTool({
        name: "once",
        description: "Must not run twice.",
        input: z.object({}),
        execute(_input, { actionId }) {
          ran.push(actionId);
          return "ran";
        },
      });
      const harness = createLoopHarness({
        script: ({ turn }) =>
          turn < 3 ? { calls: [{ tool: "once", input: {} }] } : { text: "Done." },
        tools: [once],
      });
      const run = await harness.create();
      const { log } = harness.store;
      let appends = 0;
      const breaking: typeof log = {
        ...log,
        async append(request) {
          const breaks = ++appends % 2 === 0;
          if (breaks && when === "before the commit") throw new TypeError("Connection terminated");
          const result = await log.append(request);
          if (breaks) throw new TypeError("Connection terminated");
          return result;
        },
      };
      expect(await harness.advance(run.id, { log: breaking })).toBe("ended");
      expect(await harness.run(run.id)).toMatchObject({ status: "completed" });
      expect(ran).toHaveLength(3);
      expect((await harness.results(run.id)).map(({ outcome }) => outcome)).toEqual([
        "completed",
        "completed",
        "completed",
      ]);
      const events = await harness.events(run.id);
      expect(events.filter(({ type }) => type === "usage")).toHaveLength(4);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    },
  );
});
