import { pageVisitOf, visible, type EffectGroup, type JsonValue } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { AttachmentList } from "./attachment-list.tsx";
import { formatBothTimes } from "./event-span.tsx";
import { RecipientChips } from "./recipient-chips.tsx";
import { PageVisitView } from "./page-visit-view.tsx";
import { timesOf } from "./prepared-event.ts";
import { bytesOf, isMail } from "./prepared-mail.ts";
import { isPost, notifiedBy, targetOf, type PreparedPost } from "./prepared-post.ts";

/**
 * An email, a Slack message or a page to open by its fields, anything else as its preview. Never
 * shortened, so that all of it can be read.
 */
export function PreparedView({
  runId,
  kind,
  prepared,
  preview,
}: {
  readonly runId: string;
  readonly kind: EffectGroup | null;
  readonly prepared: JsonValue;
  readonly preview: string;
}) {
  const { data: artifacts = [] } = useQuery({
    ...queries.artifacts(runId),
    enabled: isMail(prepared) && prepared.attachments.length > 0,
  });
  const visit = pageVisitOf({ kind, prepared });
  if (visit) return <PageVisitView visit={visit} />;
  if (isPost(prepared)) return <PostView post={prepared} />;
  if (!isMail(prepared)) return <Preview prepared={prepared} preview={preview} />;
  const artifactDigests = new Set(artifacts.map(({ digest }) => digest));
  const recipients: readonly Row[] = [
    [texts.approval.to, prepared.to],
    [texts.approval.cc, prepared.cc],
    [texts.approval.bcc, prepared.bcc],
  ];
  return (
    <>
      <dl className={fieldsClass}>
        <FieldRows rows={[[texts.approval.from, [prepared.from]]]} />
        {prepared.replyTo.length > 0 && (
          <FieldRows rows={[[texts.approval.replyTo, prepared.replyTo]]} />
        )}
        {recipients
          .filter(([name, values]) => values.length > 0 || name === texts.approval.to)
          .map(([name, values]) => (
            <Fragment key={name}>
              <dt className="text-sm text-quiet">{name}</dt>
              <dd className="mb-1 sm:mb-0">
                <RecipientChips values={values} account={prepared.account} />
              </dd>
            </Fragment>
          ))}
        <FieldRows rows={[[texts.approval.subject, [prepared.subject]]]} />
        <dt className="text-sm text-quiet">{texts.approval.attachments}</dt>
        <dd>
          <AttachmentList attachments={prepared.attachments} artifactDigests={artifactDigests} />
        </dd>
      </dl>
      <pre className={textClass}>{visible(prepared.bodyText)}</pre>
    </>
  );
}

const fieldsClass = "grid gap-x-4 gap-y-1 sm:grid-cols-[6rem_minmax(0,1fr)]";
const textClass =
  "mail m-0 mt-3 max-h-none border-t border-edge pt-3 font-sans text-base whitespace-pre-wrap wrap-anywhere";

type Row = readonly [name: string, values: readonly string[]];

function FieldRows({ rows }: { readonly rows: readonly Row[] }) {
  return rows.map(([name, values]) => (
    <Fragment key={name}>
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="mb-1 font-medium wrap-anywhere sm:mb-0">{visible(values.join(", "))}</dd>
    </Fragment>
  ));
}

/** A Slack message: where it goes, whom it notifies, and its text. */
function PostView({ post }: { readonly post: PreparedPost }) {
  const { approval } = texts;
  const notes = [
    ...(post.person ? [approval.directMessage] : []),
    ...(post.channel?.isShared === true ? [approval.sharedChannel] : []),
  ];
  const rows: readonly Row[] = [
    [approval.workspace, [post.workspace]],
    [approval.to, [[targetOf(post), ...notes].join(" · ")]],
    [approval.notifies, notifiedBy(post)],
  ];
  return (
    <>
      <dl className={fieldsClass}>
        <FieldRows rows={rows.filter(([, values]) => values.length > 0)} />
      </dl>
      <pre className={textClass}>{visible(post.shown)}</pre>
    </>
  );
}

/** The preview of the tool, and the reader's time for an event in another zone. */
function Preview({
  prepared,
  preview,
}: {
  readonly prepared: JsonValue;
  readonly preview: string;
}) {
  const times = timesOf(prepared);
  const both = times && formatBothTimes(times);
  return (
    <>
      <pre className="m-0 max-h-none font-sans text-base whitespace-pre-wrap wrap-anywhere">
        {visible(preview)}
      </pre>
      {both !== undefined && <p className="mt-2 text-sm text-quiet">{both}</p>}
    </>
  );
}

/** The raw form of the effect. */
export function RawView({ prepared }: { readonly prepared: JsonValue }) {
  const isBytes = isMail(prepared);
  const save = () => {
    if (!isMail(prepared)) return;
    const address = URL.createObjectURL(
      new Blob([bytesOf(prepared.raw)], { type: "application/octet-stream" }),
    );
    const link = Object.assign(document.createElement("a"), {
      href: address,
      download: "mail.eml",
    });
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <details className="mt-3">
      <summary className="cursor-pointer text-sm text-quiet">
        {isBytes ? texts.approval.raw : texts.approval.rawRequest}
      </summary>
      <pre className="m-0 mt-2 max-h-96 overflow-auto rounded-lg border border-edge bg-surface p-3 text-xs whitespace-pre-wrap wrap-anywhere">
        {visible(
          isBytes
            ? new TextDecoder().decode(bytesOf(prepared.raw))
            : JSON.stringify(prepared, null, 2),
        )}
      </pre>
      {isBytes && (
        <Button kind="quiet" className="mt-1" onClick={save}>
          {texts.approval.downloadMessage}
        </Button>
      )}
    </details>
  );
}
