import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { CopyButton } from "./final-message.tsx";
import type { DraftCard } from "./task-sections.ts";
import { useSendDraft } from "./use-send-draft.ts";

interface DraftResultProps {
  readonly draft: DraftCard;
  readonly runId: string;
  /** Sending is the next task of the conversation, so it waits for the end of this one. */
  readonly canSend: boolean;
}

/** A draft in the mailbox, with what can be done with it. */
export function DraftResult({ draft, runId, canSend }: DraftResultProps) {
  const { to, cc, subject, bodyText } = draft;
  const send = useSendDraft(runId, draft);
  const rows = [
    [texts.approval.to, to],
    ...(cc.length > 0 ? [[texts.approval.cc, cc.join(", ")] as const] : []),
    [texts.approval.subject, subject],
  ] as const;
  return (
    <section
      aria-label={texts.cards.draft}
      className="overflow-hidden rounded-xl border border-edge bg-surface"
    >
      <h3 className="m-0 border-b border-edge px-4 py-2 text-sm font-semibold text-quiet">
        {texts.cards.draft}
      </h3>
      <dl className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 gap-y-0.5 px-4 pt-3 text-sm">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-quiet">{name}</dt>
            <dd className="wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <p
        tabIndex={0}
        className="max-h-56 overflow-y-auto px-4 py-3 whitespace-pre-wrap wrap-anywhere"
      >
        {bodyText}
      </p>
      <div className="flex flex-wrap items-center gap-1 border-t border-edge px-3 py-2">
        <Button
          isBusy={!canSend || send.isPending || send.isSuccess}
          title={texts.run.sendDraftHint}
          onClick={() => send.mutate()}
        >
          {texts.run.sendDraft}
        </Button>
        <CopyButton text={bodyText} label={texts.run.copyDraft} />
        <OpenInMailbox />
      </div>
      <Problem error={send.error} />
    </section>
  );
}

/** Gmail has the draft at the top of its list. The demo has a mailbox of its own. */
function OpenInMailbox() {
  const { data: about } = useQuery(queries.about());
  if (!about) return null;
  return about.demoMail ? (
    <Link to="/demo" className={buttonClass("quiet")}>
      {texts.run.openInSandbox}
    </Link>
  ) : (
    <a
      href="https://mail.google.com/mail/#drafts"
      target="_blank"
      rel="noreferrer"
      className={buttonClass("quiet")}
    >
      {texts.run.openInGmail}
    </a>
  );
}
