import { visible, type JsonValue } from "@bron/protocol";
import { texts } from "../texts.ts";

interface Mail {
  readonly account: string;
  readonly from: string;
  readonly replyTo: readonly string[];
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  readonly bodyText: string;
  readonly attachments: readonly { readonly filename: string; readonly sizeBytes: number; readonly digest: string }[];
  readonly raw: string;
}

/** A mail part by part and in its bytes; anything else as its preview and its data. */
export function PreparedView({ prepared, preview }: { readonly prepared: JsonValue; readonly preview: string }) {
  if (!isMail(prepared)) {
    return (
      <>
        <pre className="mail">{visible(preview)}</pre>
        <details>
          <summary>{texts.approval.rawRequest}</summary>
          <pre>{visible(JSON.stringify(prepared, null, 2))}</pre>
        </details>
      </>
    );
  }
  const rows: readonly (readonly [string, string])[] = [
    [texts.approval.from, prepared.from],
    ...(prepared.replyTo.length > 0 ? [[texts.approval.replyTo, prepared.replyTo.join(", ")] as const] : []),
    [texts.approval.to, prepared.to.join(", ")],
    ...(prepared.cc.length > 0 ? [[texts.approval.cc, prepared.cc.join(", ")] as const] : []),
    ...(prepared.bcc.length > 0 ? [[texts.approval.bcc, prepared.bcc.join(", ")] as const] : []),
    [texts.approval.subject, prepared.subject],
    [texts.approval.attachments, prepared.attachments.map(({ filename, sizeBytes }) => `${filename} (${sizeBytes} bytes)`).join(", ") || texts.approval.noAttachments],
  ];
  return (
    <>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{visible(value)}</dd>
          </div>
        ))}
      </dl>
      <pre className="mail">{visible(prepared.bodyText)}</pre>
      <details>
        <summary>{texts.approval.raw}</summary>
        <pre>{visible(decode(prepared.raw))}</pre>
      </details>
    </>
  );
}

function isMail(value: JsonValue): value is JsonValue & Mail {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  return ["replyTo", "to", "cc", "bcc", "attachments"].every((name) => Array.isArray(value[name])) && ["account", "from", "subject", "bodyText", "raw"].every((name) => typeof value[name] === "string");
}

function decode(raw: string): string {
  const bytes = Uint8Array.from(atob(raw.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
