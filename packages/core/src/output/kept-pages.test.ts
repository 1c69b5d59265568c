import { createLoopHarness, type Script } from "@bron/testing";
import { expect, it } from "vitest";
import { z } from "zod";
import type { EffectFacts } from "../policy/effect-facts.ts";
import { normalizeUrl } from "../policy/text/normalize-url.ts";
import { defaultRules } from "../policy/permissions/rules.ts";
import { defineTool } from "../tool/define-tool.ts";

const url = "https://shop.example/offers";

const typed = { text: "w1", words: url };

/** Opens a page, and counts how often a request leaves. */
function harness(script: Script) {
  const requests: string[] = [];
  const open = defineTool({
    name: "open",
    description: "Opens a page.",
    input: z.object({ url: z.string() }),
    sideEffect: true,
    effectKind: "open_page",
    label: { origin: "web", isPublic: true },
    facts: (page: { url: string }): EffectFacts => ({
      kind: "fetch",
      account: "",
      recipients: [],
      hosts: ["shop.example"],
      things: [{ kind: "url", id: normalizeUrl(page.url) ?? "", title: page.url }],
      attachments: [],
      warnings: [],
    }),
    execute: (page: { url: string }) => (requests.push(page.url), `page ${requests.length}`),
  });
  const mail = defineTool({
    name: "mail",
    description: "Reads mail.",
    input: z.object({}),
    label: { origin: "mail" },
    execute: () => "The code is 4711",
  });
  const loop = createLoopHarness({
    script,
    tools: [open, mail],
    reader: () => ({
      asks: [
        {
          effect: "open_page",
          words: typed,
          times: "once",
          things: [{ mention: typed, kind: "url" }],
        },
      ],
    }),
    deps: {
      permissions: { rules: () => Promise.resolve({ ...defaultRules, trustLevel: "autonomous" }) },
    },
  });
  return { loop, requests };
}

const openPage = { calls: [{ tool: "open", input: { url } }] };
const sameOne = { calls: [{ tool: "open", input: { url: "http://www.shop.example/offers/#7" } }] };
const readMail = { calls: [{ tool: "mail", input: {} }] };

it.each([
  ["opens a page again while nothing private is in view", [openPage, openPage], 2],
  ["X3 gives the page that it has once private text is in view", [readMail, openPage, openPage], 1],
  ["X3 gives the page from before private text was read", [openPage, readMail, openPage], 1],
  ["X3 takes another fragment and form for the same page", [openPage, readMail, sameOne], 1],
])("%s", async (_, turns, times) => {
  const { loop, requests } = harness(({ turn }) => turns[turn] ?? { text: "Done." });
  const run = await loop.create({ prompt: `Compare my mail with ${url}` });
  expect(await loop.advance(run.id)).toBe("ended");
  expect(requests).toHaveLength(times);
  const results = (await loop.events(run.id)).flatMap((event) =>
    event.type === "tool" && event.payload.phase === "end" && event.payload.name === "open"
      ? [[event.payload.output, event.payload.reused !== undefined]]
      : [],
  );
  expect(results).toEqual(
    times === 2
      ? [
          ["page 1", false],
          ["page 2", false],
        ]
      : [
          ["page 1", false],
          ["page 1", true],
        ],
  );
});
