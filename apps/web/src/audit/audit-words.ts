import { visible, type AuditView, type JsonObject } from "@bron/protocol";
import { texts } from "../texts.ts";
import { toolInSentence } from "../words/tools.ts";

/** One row as a sentence. `recipients` are known for some effects only from another row of theirs. */
export function sentence(
  row: AuditView,
  recipients: readonly string[] = recipientsOf(row),
): string {
  // Rows of older Brons may have words that are gone since.
  const did: Partial<typeof texts.audit.did> = texts.audit.did;
  return `${texts.audit.who[row.by]} ${did[isUndone(row) ? "approval.undone" : row.what]?.(visible(thingOf(row, recipients))) ?? row.what}`;
}

/** Whom the effects of these rows reach, by the effect. */
export function recipientsByEffect(
  rows: readonly AuditView[],
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rows.flatMap((row) =>
      row.effectId !== null && recipientsOf(row).length > 0
        ? [[row.effectId, recipientsOf(row)] as const]
        : [],
    ),
  );
}

function recipientsOf({ details }: AuditView): string[] {
  return ["to", "cc", "bcc", "guests", "channel"].flatMap((name) => textsIn(details, name));
}

/** What it was done to, in a few words. */
function thingOf({ what, tool, details }: AuditView, recipients: readonly string[]): string {
  if (tool !== null) {
    const words = toolInSentence(tool);
    if (what.startsWith("rule.")) return [words, ...textsIn(details, "verdict")].join(": ");
    const reached = what.startsWith("grant.") ? textsIn(details, "recipient") : recipients;
    return reached.length === 0 ? words : `${words} ${texts.audit.to(reached.join(", "))}`;
  }
  if (what.startsWith("connection."))
    return [...textsIn(details, "provider").map(providerName), ...textsIn(details, "account")].join(
      ", ",
    );
  return ["name", "provider", "value", "trustLevel", "changed"]
    .flatMap((name) =>
      what === "bron.created" && name === "trustLevel" ? [] : textsIn(details, name),
    )
    .join(", ");
}

/** Accounts of the simulated outside are kept under names of their own. */
function providerName(provider: string): string {
  const [real = "", isSimulated] = provider.split("-simulated");
  const name = texts.providers[real] ?? real;
  return isSimulated === undefined ? name : texts.audit.simulated(name);
}

function textsIn(details: JsonObject, name: string): string[] {
  const value = details[name];
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === "string");
}

/** An approval that was taken back is kept as a denial; its details say so. */
function isUndone({ what, details }: AuditView): boolean {
  return what === "approval.denied" && details["undone"] === true;
}
