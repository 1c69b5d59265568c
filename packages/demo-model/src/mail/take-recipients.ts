import type { Recipients } from "./mail-task.ts";
import type { Scratch } from "./scratch.ts";

/** A loose pattern for addresses. The mail tool rejects invalid ones. */
export const addressPattern = "[\\w.!#$%&'*+/=?^`{|}~-]*\\w@[\\w-]+(?:\\.[\\w-]+)+";

const copied = {
  cc: "cc|copy(?:ing)?(?: to)?|in copy|(?:in )?kopie(?: an)?|cc an|en copie(?: a)?|copie a",
  bcc: "bcc|blind copy(?: to)?|blindkopie(?: an)?|en copie cachee(?: a)?|cci",
} as const;
const between = "(?:\\s*(?:,|;|&|\\band\\b|\\bund\\b|\\bet\\b)\\s*(?:(?:to|an|a)\\s+)?)";
const list = `(?<list><?${addressPattern}>?(?:${between}<?${addressPattern}>?)*)`;

/** Takes the recipients out of the text. Senders must have been taken before. */
export function takeRecipients(scratch: Scratch): Recipients {
  const bcc = takeList(scratch, new RegExp(`\\b(?:${copied.bcc})\\b:?\\s+${list}`));
  const cc = takeList(
    scratch,
    new RegExp(`(?:\\b(?:with|and|mit|avec)\\s+)?(?:\\b(?:${copied.cc})\\b):?\\s+${list}`),
  );
  const afterCc =
    cc.length === 0
      ? takeList(scratch, new RegExp(`${list}\\s+(?:in|on|as|im|en)\\s+(?:cc|copy|kopie|copie)\\b`))
      : [];
  const to: string[] = [];
  for (
    let more = takeList(
      scratch,
      new RegExp(`(?:\\b(?:to|at|an|a|fur|for|pour)\\s+)?(?:\\p{L}+\\s+)??${list}`, "u"),
    );
    more.length > 0;
    more = takeList(scratch, new RegExp(list))
  )
    to.push(...more);
  return { to: [...new Set(to)], cc: [...cc, ...afterCc], bcc };
}

function takeList(scratch: Scratch, pattern: RegExp): readonly string[] {
  const words = scratch.take(pattern)?.groups["list"] ?? "";
  return Array.from(words.matchAll(new RegExp(addressPattern, "g")), ([address]) =>
    address.replace(/[.'`]+$/, ""),
  );
}
