import { describeCrashMatrix } from "../mail/support/crash-matrix.ts";
import { judgePosts } from "./support/judge-posts.ts";

/** Without a response, a request that Slack never got looks like one that arrives late. */
const unproved = new Set(["no answer", "cut before the effect"]);

describeCrashMatrix({
  task: "post",
  title: "a worker killed around a Slack message",
  methods: ["slack.chat.postMessage", "slack.conversations.open"],
  modes: {
    plain: {},
    "no answer": {
      fault: { kind: "frozen", when: "before" },
      at: ["slack.chat.postMessage"],
    },
    "500 after the effect": { fault: { kind: "status", status: 500, when: "after" } },
    "503 before the effect": { fault: { kind: "status", status: 503, when: "before" } },
    "cut before the effect": { fault: { kind: "cut", when: "before" } },
    "cut after the effect": { fault: { kind: "cut", when: "after" } },
    slow: { fault: { kind: "slow", ms: 300 } },
    "slower than its deadline": {
      fault: { kind: "slow", ms: 4_500, when: "after" },
      at: ["slack.chat.postMessage"],
    },
  },
  passed: {
    plain: [
      "create",
      "claim",
      "decide",
      "slack_post.prepare",
      "slack_post.execute",
      "slack chat.postMessage",
      "slack conversations.open",
    ],
    "cut after the effect": ["slack_post.reconcile", "slack conversations.history"],
  },
  short: {
    plain: /^slack (?:chat\.postMessage|conversations\.open)/,
    "cut after the effect": /^slack_post\.reconcile/,
  },
  frozen: { full: /execute|slack|effect\.attempting|decide/, short: /chat\.postMessage:before/ },
  divergesAt: "slack_post.execute:before",
  judge: judgePosts,
  // Each fault happens once, so the direct message after it is posted.
  success: (mode) => (unproved.has(mode) ? "unknown and posted" : "posted and posted"),
});
