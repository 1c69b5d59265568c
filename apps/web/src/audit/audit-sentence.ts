import {
  recipientsIn,
  visible,
  type ActionSummary,
  type AuditView,
  type EffectGroup,
  type JsonObject,
  type RuleVerdict,
} from "@bron/protocol";
import { formatDollars } from "../money.ts";
import { texts } from "../texts.ts";
import { permissionsWords } from "../words/permissions.ts";
import { auditWords } from "../words/audit.ts";
import { scopePhrase } from "../permissions/scope-words.ts";
import type { AuditSubject, SentenceKey } from "../words/audit.ts";
import { toolDone, toolPhrase, toolTodo } from "../words/tools.ts";

/** An entry as a sentence. */
export function sentence(row: AuditView): string {
  // An entry that another version wrote may have a kind that this page does not know.
  const sentences: Partial<typeof auditWords.sentences> = auditWords.sentences;
  const who = auditWords.who[row.by];
  const write = sentences[sentenceKey(row)];
  return write?.(who, subjectOf(row)) ?? `${who} ${row.what}`;
}

/** An action with all its entries, as one sentence. */
export function actionSentence({ tool, stage, recipients }: ActionSummary): string {
  return auditWords.stages[stage](formsOf(tool, recipients));
}

/** How an action that happened was allowed. Undefined for one that did not. */
export function allowedWords({
  stage,
  isAsked,
  isEdited,
}: Pick<ActionSummary, "stage" | "isAsked" | "isEdited">): string | undefined {
  if (stage !== "done" && stage !== "settled_done" && stage !== "restored") return undefined;
  const { approved, edited, unasked } = auditWords.allowed;
  return isAsked ? (isEdited ? edited : approved) : unasked;
}

/** An entry in the list of an action's entries, which needs no recipients. */
export function lifeSentence(row: AuditView): string {
  const words: Partial<Record<SentenceKey, string>> = auditWords.life;
  return words[sentenceKey(row)] ?? sentence(row);
}

function subjectOf(row: AuditView): AuditSubject {
  const { what, tool, details } = row;
  if (tool === null || what.startsWith("rule.")) {
    const name = visible(nameOf(row));
    return { doing: name, done: name, todo: name };
  }
  if (what.startsWith("grant.")) {
    const phrase = scopePhrase({ tool, ...scopeIn(details) });
    const [recipient] = textsIn(details, "recipient");
    const name = visible(
      recipient === undefined ? phrase : `${phrase} ${auditWords.to(recipient)}`,
    );
    return { doing: name, done: name, todo: name };
  }
  return formsOf(tool, recipientsIn(details));
}

function formsOf(tool: string, recipients: readonly string[]): AuditSubject {
  const form = (words: string) =>
    visible(recipients.length === 0 ? words : `${words} ${auditWords.to(recipients.join(", "))}`);
  return { doing: form(toolPhrase(tool)), done: form(toolDone(tool)), todo: form(toolTodo(tool)) };
}

/** The thing that an entry is about, if it is not the call of a tool. */
function nameOf({ what, tool, details }: AuditView): string {
  if (tool !== null) {
    const verdicts = textsIn(details, "verdict").map((verdict) =>
      (permissionsWords.verdicts[verdict as RuleVerdict] ?? verdict).toLowerCase(),
    );
    return [scopePhrase({ tool, ...scopeIn(details) }), ...verdicts].join(": ");
  }
  if (what === "effect_setting.changed")
    return textsIn(details, "kind")
      .map((kind) => (permissionsWords.effectGroups[kind as EffectGroup] ?? kind).toLowerCase())
      .join(", ");
  if (what.startsWith("schedule."))
    return textsIn(details, "title")
      .map((title) => auditWords.quoted(title))
      .join("");
  if (what === "budget.changed")
    return auditWords.budget(capIn(details, "day"), capIn(details, "month"));
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

/** A cap in dollars. Undefined: none. */
function capIn(details: JsonObject, period: "day" | "month"): string | undefined {
  const cap = details[`${period}CapMicrousd`];
  return typeof cap === "number" ? formatDollars(cap) : undefined;
}

/** Simulated accounts are stored under a provider name with the suffix "-simulated". */
function providerName(provider: string): string {
  const [real = "", isSimulated] = provider.split("-simulated");
  const name = texts.providers[real] ?? real;
  return isSimulated === undefined ? name : auditWords.simulated(name);
}

/** What a rule or grant names besides a tool. Entries of earlier versions name nothing. */
function scopeIn(details: JsonObject): {
  readonly host: string | null;
  readonly server: string | null;
} {
  const [host = null] = textsIn(details, "host");
  const [server = null] = textsIn(details, "server");
  return { host, server };
}

function textsIn(details: JsonObject, name: string): string[] {
  const value = details[name];
  return (Array.isArray(value) ? value : [value]).filter((entry) => typeof entry === "string");
}

/** An undone approval is stored as a denial, and both ways to settle an effect as one kind. */
function sentenceKey({ what, details }: AuditView): keyof typeof auditWords.sentences {
  if (what === "approval.denied" && details["undone"] === true) return "approval.undone";
  if (what === "effect.settled" && details["as"] === "did_not_happen")
    return "effect.settled_not_done";
  return what;
}
