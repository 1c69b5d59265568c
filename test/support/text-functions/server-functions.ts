import type { RunEvent } from "@bron/protocol";
import * as agentLines from "../../../packages/runtime/src/agent/agent-lines.ts";
import * as entryNames from "../../../packages/files/src/entry-names.ts";
import * as pages from "../../../apps/server/src/pages.ts";
import * as projection from "../../../packages/runtime/src/services/public-views.ts";
import * as refuseNul from "../../../apps/server/src/refuse-nul.ts";
import { nested, toolEnd } from "./samples.ts";
import type { TextModule } from "./text-module.ts";

const event = (payload: object): RunEvent =>
  ({ runId: "r", seq: 1, createdAt: "2026-11-16T09:00:00Z", ...payload }) as RunEvent;

export const serverFunctions: Readonly<Record<string, TextModule>> = {
  "server/agent-lines": {
    exports: agentLines,
    runs: {
      createAgentLines: (text) =>
        agentLines.createAgentLines("t").fromEvent(
          event({
            type: "message",
            payload: { role: "assistant", content: text, step: 1, final: true, parts: [] },
          }),
        ),
    },
  },
  "server/entry-names": {
    exports: entryNames,
    share: 1 / 8,
    runs: { createEntryNames: (text) => entryNames.createEntryNames()(text) },
  },
  "server/pages": {
    exports: pages,
    runs: {
      escapeHtml: pages.escapeHtml,
      page: (text) => pages.page(text, text),
      renderSignInPage: pages.renderSignInPage,
      renderReturnPage: pages.renderReturnPage,
    },
    without: ["renderNotFoundPage", "renderEmptyHome"],
  },
  "server/projection": {
    exports: projection,
    share: 1 / 8,
    runs: {
      toEventView: (text) =>
        projection.toEventView(event({ type: "tool", payload: toolEnd(text) }), new Map()),
      toPublicAction: (text) =>
        projection.toPublicAction({ input: { text }, output: { text } } as never),
      toPublicEffect: (text) => projection.toPublicEffect({ outcome: { text } } as never),
    },
  },
  "server/refuse-nul": {
    exports: refuseNul,
    share: 1 / 8,
    runs: { refuseNul: (text) => refuseNul.refuseNul({ text, nested: nested(text) }, "It") },
  },
};
