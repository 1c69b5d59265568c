import * as pastedText from "../../../packages/protocol/src/pasted-text.ts";
import * as holdOffers from "../../../packages/protocol/src/hold-offers.ts";
import * as pageVisit from "../../../packages/protocol/src/page-visit.ts";
import * as visibility from "../../../packages/protocol/src/visible.ts";
import type { TextModule } from "./text-module.ts";

export const protocolFunctions: Readonly<Record<string, TextModule>> = {
  "protocol/pasted-text": {
    exports: pastedText,
    kinds: ["lines"],
    runs: {
      describeText: pastedText.describeText,
      isMoreThanALine: pastedText.isMoreThanALine,
    },
  },
  "protocol/hold-offers": {
    exports: holdOffers,
    runs: {
      holdOffersOf: (text) =>
        holdOffers.holdOffersOf({
          tool: "gmail_send",
          kind: "mail",
          risks: [
            {
              kind: "recipient",
              value: text,
              why: { code: "recipient_not_mentioned", address: text, role: "to" },
              from: [],
              notes: [],
            },
          ],
        }),
    },
  },
  "protocol/page-visit": {
    exports: pageVisit,
    share: 1 / 8,
    kinds: ["lines"],
    runs: {
      readPageVisit: (text) => pageVisit.readPageVisit(`https://x.example/${text}?${text}`),
      "readPageVisit (values)": (text) =>
        pageVisit.readPageVisit(
          `https://x.example/?${"a=b&".repeat(text.length / 4)}${encodeURIComponent(text.toWellFormed())}`,
        ),
      pageVisitOf: (text) =>
        pageVisit.pageVisitOf({ kind: "fetch", prepared: { url: `https://x.example/?q=${text}` } }),
      describePageVisit: (text) =>
        pageVisit.describePageVisit({
          host: text,
          path: { text, hidden: text },
          values: [{ name: { text }, value: { text, hidden: text } }],
        }),
    },
  },
  "protocol/visible": {
    exports: visibility,
    share: 1 / 4,
    kinds: ["lines"],
    runs: {
      hasHidden: visibility.hasHidden,
      spellOut: visibility.spellOut,
      visible: visibility.visible,
    },
  },
};
