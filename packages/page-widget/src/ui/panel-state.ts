import type { ConversationState } from "../talk/conversation-record.ts";
import type { Texts } from "./texts.ts";

export interface PanelState {
  readonly conversation: ConversationState;
  readonly texts: Texts;
  readonly isOpen: boolean;
  readonly isCompact: boolean;
  readonly isInline: boolean;
  readonly isHeadless: boolean;
  readonly heading: string;
  readonly greeting: string;
  readonly suggestions: readonly string[];
  /** `rtl`, `ltr`, or undefined for that of the page. */
  readonly direction: string | undefined;
  /** The handler's origin. Requests for approval open only there. */
  readonly handlerOrigin: string | undefined;
}

export interface PanelActions {
  open(): void;
  close(): void;
  toggleCompact(): void;
  startOver(): void;
  send(message: string): void;
  stop(): void;
  retry(): void;
  saveDraft(draft: string): void;
}
