import type { EffectGroup, JsonValue, Risk } from "@bron/protocol";
import type { ChangedField, ThingKind } from "../intent/reading-schema.ts";
import { contentValues } from "./text/content-values.ts";
import { addressesIn, textsIn } from "./text/names.ts";

/** A person whom an effect reaches. */
export interface Recipient {
  readonly address: string;
  readonly role: "to" | "cc" | "bcc" | "reply-to" | "guest" | "mention";
  /** Set if the owner has written to this address before, with the names used then. */
  readonly known?: { readonly names: readonly string[] };
  /** A guest who is on the list already. They learn of a change, but are not invited by it. */
  readonly isPresent?: boolean;
}

/** What a call reaches, for rules and grants. Paths and commands will be more kinds. */
export type Target =
  /** A URL that is contacted. A link in the content is not a target. */
  | { readonly kind: "url"; readonly url: string }
  /** A tool of an MCP server, by its name there. Set by the loop, from the tool. */
  | { readonly kind: "server"; readonly server: string; readonly tool: string };

/**
 * The facts of a prepared form that the policy judges. They are read from the form itself, so that
 * the policy judges what will be done.
 */
export interface EffectFacts {
  readonly kind: EffectGroup;
  /** The owner's own address in that account. */
  readonly account: string;
  readonly recipients: readonly Recipient[];
  /** Hosts that the outgoing content mentions or that will be contacted. */
  readonly hosts: readonly string[];
  /** Addresses, accounts and the like in the outgoing content. See `traceableValues`. */
  readonly values?: readonly string[];
  /** What recipients read: the body, which the owner may have dictated word for word. */
  readonly text?: string;
  /**
   * The subject, title and location, as far as the model chose them, and text of a changed thing that
   * new recipients get to read.
   */
  readonly titles?: readonly string[];
  /** What else they read: the names of recipients, and a subject that was there before. */
  readonly otherTexts?: readonly string[];
  /**
   * What code copied from an existing thing of the effect, and what is in no other part of it. It has
   * no risk if the owner asked to forward that thing.
   */
  readonly copied?: {
    readonly hosts: readonly string[];
    readonly values: readonly string[];
    /** Digests of files. */
    readonly files: readonly string[];
  };
  readonly targets?: readonly Target[];
  readonly attachments: readonly { readonly filename: string; readonly digest: string }[];
  /** Existing things that the effect changes, and channels. The owner's words must mention them. */
  readonly things?: readonly {
    readonly kind: ThingKind;
    readonly id: string;
    /** What the owner sees of it: a title, a name. */
    readonly title: string;
    /** A channel that people of another organization read as well. */
    readonly isShared?: boolean;
    /**
     * People whom the owner put into it by hand. A request that mentions the thing reaches them,
     * as the recipients of the owner's own draft.
     */
    readonly people?: readonly string[];
  }[];
  /** It is a draft that exists, or changes one. */
  readonly isDraft?: boolean;
  /** What changes about an existing thing. The owner's words must mention it. */
  readonly fields?: readonly ChangedField[];
  /**
   * Warnings from the tool: sentences for the owner, or codes. They require approval at every trust
   * level.
   */
  readonly warnings: readonly Risk["why"][];
}

export function targetsOf<K extends Target["kind"]>(
  { targets = [] }: Pick<EffectFacts, "targets">,
  kind: K,
): Extract<Target, { kind: K }>[] {
  return targets.filter((target): target is Extract<Target, { kind: K }> => target.kind === kind);
}

/**
 * The facts with the server that the tool came from. A server may say anything about its tools, so
 * its own statement on the server and the kind does not count.
 */
export function withServer(
  facts: EffectFacts,
  server: { readonly name: string; readonly tool: string } | undefined,
): EffectFacts {
  const targets = facts.targets?.filter(({ kind }) => kind !== "server") ?? [];
  if (server === undefined)
    return targets.length === (facts.targets?.length ?? 0) ? facts : { ...facts, targets };
  return {
    ...facts,
    kind: "server",
    targets: [...targets, { kind: "server", server: server.name, tool: server.tool }],
  };
}

/** Everything in it that recipients read. */
export function textOf({
  text = "",
  titles = [],
  otherTexts = [],
}: Pick<EffectFacts, "text" | "titles" | "otherTexts">): string {
  return [...titles, ...otherTexts, text].join("\n");
}

const maxCharacters = 500_000;

/** For tools that do not report facts. Every address and every host in the form counts. */
export function guessFacts(prepared: JsonValue): EffectFacts {
  const texts = textsIn(prepared).join("\n");
  const checked = texts.slice(0, maxCharacters);
  const warnings = texts.length > maxCharacters ? [{ code: "too_long_to_check" as const }] : [];
  return {
    kind: "other",
    account: "",
    recipients: addressesIn(checked).map((address) => ({ address, role: "to" })),
    ...contentValues(checked),
    attachments: [],
    warnings,
  };
}
