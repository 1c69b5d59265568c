import { useLocation } from "@tanstack/react-router";
import { connectHref } from "../connections/connect-href.ts";
import { describeAuth, type Card, type CardPayload } from "@bron/protocol";
import type { ApprovalSource } from "../run/approval-of.ts";
import { texts } from "../texts.ts";
import { buttonClass } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";
import { ApprovalView } from "./approval-view.tsx";
import { AttachmentSummary, EmailDraft, ExtractedFields, SearchResults } from "./mail-cards.tsx";
import { RunSummary } from "./run-summary.tsx";
import { UnknownEffectView } from "./unknown-effect-view.tsx";
import { CalendarEvent, CalendarEvents, SlackMessages } from "./workspace-cards.tsx";

interface CardViewProps {
  readonly card: Card;
  readonly approval?: ApprovalSource | undefined;
  readonly isWaitingForAccount: boolean;
  onAsked(element: HTMLElement): void;
}

/** Content of emails and documents is shown as plain text, without links, images or markup. */
export function CardView({ card, approval, isWaitingForAccount, onAsked }: CardViewProps) {
  switch (card.kind) {
    case "EmailSearchResultsCard":
      return <SearchResults {...card.payload} />;
    case "AttachmentSummaryCard":
      return <AttachmentSummary {...card.payload} />;
    case "ExtractedFieldsTable":
      return <ExtractedFields {...card.payload} />;
    case "EmailDraftCard":
      return <EmailDraft {...card.payload} />;
    case "CalendarEventsCard":
      return <CalendarEvents {...card.payload} />;
    case "CalendarEventCard":
      return <CalendarEvent {...card.payload} />;
    case "SlackMessagesCard":
      return <SlackMessages {...card.payload} />;
    case "ApprovalCard":
      return (
        <ApprovalView approvalId={card.payload.approvalId} source={approval} onAsked={onAsked} />
      );
    case "RunSummaryCard":
      return <RunSummary {...card.payload} />;
    case "ReconnectCard":
      return <Reconnect {...card.payload} isWaiting={isWaitingForAccount} />;
    case "UnknownEffectCard":
      return <UnknownEffectView {...card.payload} />;
  }
}

function Reconnect({
  provider,
  isWaiting,
  ...need
}: CardPayload<"ReconnectCard"> & { readonly isWaiting: boolean }) {
  const from = useLocation({ select: ({ href }) => href });
  return (
    <Panel title={texts.cards.reconnect} tone={isWaiting ? "ask" : "plain"}>
      <p className="wrap-anywhere">{describeAuth(need, texts.cards.auth)}</p>
      {isWaiting && (
        <a className={`${buttonClass("main")} mt-3`} href={connectHref(provider, from)}>
          {texts.connectTo(provider)}
        </a>
      )}
    </Panel>
  );
}
