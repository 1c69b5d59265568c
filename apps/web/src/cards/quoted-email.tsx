import { visible, type ApprovalBackground } from "@bron/protocol";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";

type Quoted = Extract<ApprovalBackground, { kind: "answered_email" }>;

/** A longer one is folded. */
const maxOpen = 280;

/** The email that is answered, quoted. Others wrote it. */
export function QuotedEmail({ from, date, subject, text, isShortened }: Quoted) {
  const shown = visible(text);
  return (
    <details
      open={shown.length <= maxOpen}
      className="mt-3 rounded-lg border-l-2 border-edge bg-raised px-3 py-2 text-sm"
    >
      <summary className="cursor-pointer wrap-anywhere">
        <span className="font-medium">{texts.approval.background.inReplyTo(visible(from))}</span>
        <span className="text-quiet">
          {" "}
          · {visible(subject)} · <Sent at={date} />
        </span>
      </summary>
      <blockquote className="m-0 mt-2 whitespace-pre-wrap wrap-anywhere text-quiet">
        {shown}
        {isShortened && (
          <span className="mt-1 block italic">{texts.approval.background.shortened}</span>
        )}
      </blockquote>
    </details>
  );
}

/** The header of a mail may say anything. */
function Sent({ at }: { readonly at: string }) {
  const time = Date.parse(at);
  return Number.isNaN(time) ? visible(at) : <Time at={new Date(time).toISOString()} />;
}
