import { expect, it } from "vitest";
import { describeNotDone, notDoneWords, type NotDone } from "./not-done.ts";

it.each<[NotDone, string]>([
  [{ cause: "denied" }, "You declined."],
  [{ cause: "denied", message: "too long" }, "You declined: too long"],
  [
    { cause: "blocked", reasons: [{ code: "rule_denies" }] },
    "Blocked: Your rule doesn't allow this.",
  ],
  [{ cause: "failed", why: { code: "canceled" } }, "It was canceled while running."],
  [{ cause: "failed", message: "The board is full." }, "The board is full."],
  [{ cause: "unknown" }, "Bron couldn't confirm whether it went through."],
])("makes a sentence of %j", (notDone, sentence) => {
  expect(describeNotDone(notDone)).toBe(sentence);
});

it("takes each table of words of another language", () => {
  const translated = () => "Translated.";
  const words = {
    causes: { ...notDoneWords.causes, expired: translated },
    reasons: { ...notDoneWords.reasons, rule_denies: translated },
    failures: { ...notDoneWords.failures, canceled: translated },
  };
  expect(describeNotDone({ cause: "expired" }, words)).toBe("Translated.");
  const blocked: NotDone = { cause: "blocked", reasons: [{ code: "rule_denies" }] };
  expect(describeNotDone(blocked, words)).toBe("Blocked: Translated.");
  const failed: NotDone = { cause: "failed", why: { code: "canceled" } };
  expect(describeNotDone(failed, words)).toBe("Translated.");
});
