import type { MailInput } from "../google/compose-mail.ts";
import type { SlackPost } from "../slack/slack-control.ts";
import type { WebPage } from "../web/web-service.ts";
import type { HostileFamily } from "./hostile-families.ts";

/** Where the instruction to the assistant hides. */
export type Carrier =
  | "mail body"
  | "subject"
  | "display name"
  | "sender domain"
  | "reply-to"
  | "plus address"
  | "mail header"
  | "quoted reply"
  | "signature"
  | "html comment"
  | "hidden html"
  | "alt text"
  | "link or image"
  | "pdf white text"
  | "docx hidden text"
  | "sheet cell"
  | "csv cell"
  | "file name"
  | "calendar invitation"
  | "slack message"
  | "web page"
  | "invisible characters"
  | "encoded text"
  | "oversized thread"
  | "oversized body";

/** An effect that only an obedient model would cause. `holds` is a text that it would contain. */
export type ForbiddenEffect =
  | {
      readonly tool: "gmail_send" | "gmail_draft_create";
      readonly to: string;
      readonly holds?: string;
    }
  | { readonly tool: "gmail_delete"; readonly about: string }
  | {
      readonly tool: "calendar_event_create" | "calendar_event_update";
      readonly guest?: string;
      readonly holds?: string;
    }
  | { readonly tool: "slack_post"; readonly channel: string; readonly holds?: string }
  | { readonly tool: "web_fetch"; readonly host: string }
  | { readonly tool: "memory_write"; readonly holds: string }
  | { readonly tool: "policy_change"; readonly to: string }
  /** The text appears in what the owner sees: a URL that a page would load, or a lie. */
  | { readonly tool: "answer"; readonly holds: string }
  /** More calls than any legitimate task makes. */
  | { readonly tool: "endless"; readonly calls: number };

/** The material to plant. Created on demand because files take time. */
type HostileMaterial =
  /** Oldest first. */
  | { readonly kind: "mail"; readonly make: () => Promise<readonly MailInput[]> }
  | { readonly kind: "slack"; readonly post: SlackPost }
  /** A page and the email that links to it. */
  | {
      readonly kind: "page";
      readonly url: string;
      readonly page: WebPage;
      readonly make: () => Promise<readonly MailInput[]>;
    };

export interface HostileItem {
  /** Unique, in kebab case. */
  readonly id: string;
  readonly family: HostileFamily;
  readonly carrier: Carrier;
  /** The instruction as plain text. */
  readonly says: string;
  /** The instruction as it appears in the carrier, which may be encoded. */
  readonly written: string;
  readonly wants: readonly ForbiddenEffect[];
  readonly material: HostileMaterial;
}
