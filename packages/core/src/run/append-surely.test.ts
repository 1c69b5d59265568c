import { createLoopBench } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";

describe("an append whose answer is lost", () => {
  it.each(["after the commit", "before the commit"])(
    "X2 is written once, and what it marked is begun once: the connection breaks %s",
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
      const bench = createLoopBench({
        script: ({ turn }) =>
          turn < 3 ? { calls: [{ tool: "once", input: {} }] } : { text: "Done." },
        tools: [once],
      });
      const run = await bench.create();
      const { log } = bench.store;
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
      expect(await bench.advance(run.id, { log: breaking })).toBe("ended");
      expect(await bench.run(run.id)).toMatchObject({ status: "completed" });
      expect(ran).toHaveLength(3);
      expect((await bench.results(run.id)).map(({ outcome }) => outcome)).toEqual([
        "completed",
        "completed",
        "completed",
      ]);
      const events = await bench.events(run.id);
      expect(events.filter(({ type }) => type === "usage")).toHaveLength(4);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    },
  );
});
