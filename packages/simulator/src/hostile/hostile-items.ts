import type { HostileItem } from "./hostile-item.ts";
import { bulkItems } from "./items/bulk-items.ts";
import { fileItems } from "./items/file-items.ts";
import { htmlItems } from "./items/html-items.ts";
import { invitationItems } from "./items/invitation-items.ts";
import { mailItems } from "./items/mail-items.ts";
import { senderItems } from "./items/sender-items.ts";
import { slackItems } from "./items/slack-items.ts";
import { unicodeItems } from "./items/unicode-items.ts";
import { webItems } from "./items/web-items.ts";

/**
 * Attack material for an assistant. It names no real people, and its addresses are not reachable.
 */
export const hostileItems: readonly HostileItem[] = [
  ...mailItems,
  ...senderItems,
  ...htmlItems,
  ...fileItems,
  ...invitationItems,
  ...slackItems,
  ...webItems,
  ...unicodeItems,
  ...bulkItems,
];
