import type { EffectKind } from "./effect-kinds.ts";
import type { MentionedFile } from "./found-file.ts";
import type { Ask, Prohibition } from "./parse-reading.ts";

/** What the owner's words ask for and forbid, with the people and things that they mean. */
export interface Intent {
  /** The kind of effect that is compared with it. The asks are those that may ask for it. */
  readonly effect: EffectKind;
  readonly asks: readonly ResolvedAsk[];
  readonly prohibitions: readonly ResolvedProhibition[];
  /** `useKeys` of the asks that other effects of the task have used, and asks that are crossed out. */
  readonly used: ReadonlySet<string>;
  /** Keys of the asks that the owner crossed out. */
  readonly crossedOut: ReadonlySet<string>;
  /** Emails of the task that the owner replied to instead of approving them. */
  readonly replied?: readonly RepliedMail[];
}

export interface RepliedMail {
  readonly effect: EffectKind;
  /** Normalized addresses of its recipients. */
  readonly people: ReadonlySet<string>;
}

export function noIntent(effect: EffectKind): Intent {
  return { effect, asks: [], prohibitions: [], used: new Set(), crossedOut: new Set() };
}

/**
 * `unread`: no model could read the words. Then they ask for nothing, so the owner is asked about
 * everything.
 */
export type ReadIntent = Intent | "unread";

export interface ResolvedAsk extends Omit<Ask, "people" | "things"> {
  /** Normalized addresses of people whom the words mention. Each name means exactly one. */
  readonly people: ReadonlySet<string>;
  /**
   * Those of them whom the words only refer to, such as "everyone". They may get what they have read
   * before, and nothing else that is private.
   */
  readonly byReference: ReadonlySet<string>;
  /** The same people as the words mention them. */
  readonly names?: readonly string[];
  /** `thingKey` of things. Each mention means exactly one. */
  readonly things: ReadonlySet<string>;
  /** The words mention a draft, so that no other email is asked for. */
  readonly isAboutDraft?: boolean;
  /** Mentions of files, also those that mean none or several. */
  readonly files?: readonly MentionedFile[];
}

export interface ResolvedProhibition extends Pick<Prohibition, "order" | "effect" | "words"> {
  /** Everyone whom its mentions could mean. */
  readonly people: ReadonlySet<string>;
  /** Names in its mentions, for people whom no account knows. */
  readonly names: readonly string[];
  readonly things: ReadonlySet<string>;
  /** Text of its mentions, whose links and values must not leave. */
  readonly content: string;
  /**
   * It mentions people whom code cannot find, such as "the suppliers". They could be any of those to
   * whom the words only refer.
   */
  readonly hasUnknownPeople: boolean;
  /** It mentions pages without a URL, such as "any links". */
  readonly hasUnknownPages: boolean;
  /** It mentions no person and no thing, so it is about every effect of its kind. */
  readonly isGeneral: boolean;
}

export function thingKey(kind: string, id: string): string {
  return `${kind} ${id}`;
}
