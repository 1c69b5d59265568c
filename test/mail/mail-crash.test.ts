import { isFullSuite } from "@bron/testing";
import { describeCrashMatrix, type CrashMatrix } from "./support/crash-matrix.ts";
import { judgeForward, judgeMail } from "./support/judge-mail.ts";
import { mailFaults as modes, mailMethods as methods } from "./support/mail-faults.ts";

const passed: CrashMatrix["passed"] = {
  plain: [
    "create",
    "claim",
    "decide",
    "artifact",
    "gmail_draft_create.prepare",
    "gmail_draft_create.execute",
    "gmail_draft_send.prepare",
    "gmail_draft_send.execute",
    "POST drafts",
    "POST drafts/send",
  ],
  "500 after the effect": [
    "gmail_draft_create.reconcile",
    "gmail_draft_send.reconcile",
    "GET drafts/{id}",
  ],
};

const short: CrashMatrix["short"] = {
  plain: /^(?:gmail_draft_(?:create|send)\.execute|POST drafts\/send)/,
  "500 after the effect": /^gmail_draft_send\.reconcile/,
};

describeCrashMatrix({
  task: "mail",
  title: "a worker killed around a mail",
  methods,
  modes,
  passed,
  short,
  frozen: {
    full: /execute|POST|effect\.attempting|decide/,
    short: /POST drafts\/send:before|gmail_draft_send\.execute:before/,
  },
  divergesAt: "gmail_draft_create.execute:before",
  judge: judgeMail,
  success: "sent",
});

// Every send goes through a draft in the same way, so the short suite tests one of them.
if (isFullSuite)
  describeCrashMatrix({
    task: "forward",
    title: "a worker killed around a forwarded mail",
    methods,
    modes,
    passed: {
      plain: ["gmail_forward.prepare", "gmail_forward.execute", "POST drafts", "POST drafts/send"],
      "500 after the effect": ["gmail_forward.reconcile"],
    },
    short: {},
    frozen: { full: /execute|POST|effect\.attempting/, short: /^$/ },
    divergesAt: "gmail_forward.execute:before",
    judge: judgeForward,
    success: "sent",
  });
