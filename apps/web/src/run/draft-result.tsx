import type { DraftView, RunView } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Problem } from "../ui/states.tsx";
import { useConfirm } from "../ui/use-confirm.tsx";
import { CopyButton } from "./final-message.tsx";
import type { DraftCard } from "./task-sections.ts";
import { useDiscardDraft } from "./use-discard-draft.ts";
import { useSendDraft } from "./use-send-draft.ts";

interface DraftResultProps {
  readonly draft: DraftCard;
  readonly run: Pick<RunView, "id" | "outcome">;
  /** Sending is the next task of the conversation, so it waits for the end of this one. */
  readonly canSend: boolean;
}

/** A draft as the mailbox has it now, with what can be done with it. */
export function DraftResult({ draft, run, canSend }: DraftResultProps) {
  const { data: drafts = [] } = useQuery(queries.drafts(run.id));
  const now = drafts.find(({ draftId }) => draftId === draft.draftId);
  const { to, cc, subject, bodyText } = now ? shownDraft(now) : draft;
  if (now?.state === "sent" || now?.state === "deleted")
    return (
      <p className="text-sm text-quiet wrap-anywhere">
        {now.state === "sent" ? texts.run.draftSent(subject, to) : texts.run.draftDeleted(subject)}
      </p>
    );
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
      {now?.isEdited === true && (
        <p className="px-4 pb-3 text-sm text-quiet">{texts.run.draftEdited}</p>
      )}
      {run.outcome === "denied" && <p className="px-4 pb-3 text-sm">{texts.run.draftKept}</p>}
      <DraftActions
        run={run}
        canSend={canSend}
        now={now}
        draft={{ ...draft, to, subject, bodyText }}
      />
    </section>
  );
}

function shownDraft({ to, ...draft }: DraftView) {
  return { ...draft, to: to.join(", ") };
}

function DraftActions({
  draft,
  run,
  canSend,
  now,
}: DraftResultProps & { readonly now: DraftView | undefined }) {
  const send = useSendDraft(run.id, draft);
  const discard = useDiscardDraft(run.id);
  const { ask, dialog } = useConfirm();
  const isLeft = send.isSuccess || discard.isSuccess;
  return (
    <>
      <div className="flex flex-wrap items-center gap-1 border-t border-edge px-3 py-2">
        <Button
          isBusy={!canSend || send.isPending || isLeft}
          title={texts.run.sendDraftHint}
          onClick={() => send.mutate()}
        >
          {texts.run.sendDraft}
        </Button>
        <CopyButton text={draft.bodyText} label={texts.run.copyDraft} />
        <OpenInMailbox messageId={now?.messageId ?? draft.messageId} />
        {now !== undefined && (
          <Button
            kind="quiet"
            isBusy={discard.isPending || isLeft}
            onClick={() =>
              ask({
                title: texts.run.deleteDraftTitle,
                words: texts.run.deleteDraftWords,
                yes: texts.run.deleteDraft,
                onYes: () => discard.mutate(now.effectId),
              })
            }
          >
            {texts.run.deleteDraft}
          </Button>
        )}
      </div>
      {dialog}
      <Problem error={send.error ?? discard.error} />
    </>
  );
}

/** Opens the draft, or the list of drafts if Gmail no longer knows it by this id. */
export function gmailAddress(messageId: string | undefined): string {
  const list = "https://mail.google.com/mail/#drafts";
  return messageId === undefined ? list : `${list}/${encodeURIComponent(messageId)}`;
}

/** The demo has a mailbox of its own. */
function OpenInMailbox({ messageId }: { readonly messageId: string | undefined }) {
  const { data: about } = useQuery(queries.about());
  if (!about) return null;
  return about.demoMail ? (
    <Link to="/demo" className={buttonClass("quiet")}>
      {texts.run.openInSandbox}
    </Link>
  ) : (
    <a
      href={gmailAddress(messageId)}
      target="_blank"
      rel="noreferrer"
      className={buttonClass("quiet")}
    >
      {texts.run.openInGmail}
    </a>
  );
}
