import { isFullSuite } from "@bron/testing";
import { describeCrashMatrix } from "./support/crash-matrix.ts";
import { askForMail } from "./support/crash-scripts.ts";
import { judgeUnasked } from "./support/judge-unasked.ts";
import { mailFaults, mailMethods } from "./support/mail-faults.ts";

describeCrashMatrix({
  task: "unasked",
  title: "a worker killed around a mail that leaves unasked",
  lanes: isFullSuite ? 3 : 2,
  asking: askForMail,
  methods: mailMethods,
  modes: mailFaults,
  passed: {
    plain: ["use asks", "gmail_send.prepare", "gmail_send.execute", "POST drafts/send"],
    "500 after the effect": ["gmail_send.reconcile"],
  },
  // The two mails run in parallel, and people are looked up once in an account.
  unsure: /^GET messages|^append\(/,
  // The ask is used and the log does not have it yet; and the mail has left unnoticed.
  short: { plain: /^(?:use asks|POST drafts\/send):after/ },
  frozen: { full: /use asks|execute|POST|effect\.attempting/, short: /^$/ },
  divergesAt: "gmail_send.execute:before",
  judge: judgeUnasked,
  success: "sent",
});
