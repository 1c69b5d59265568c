import type { JsonValue } from "@bron/protocol";
import { texts } from "../texts.ts";

interface Mail {
  readonly account: string;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly bcc: readonly string[];
  readonly subject: string;
  readonly bodyText: string;
  readonly attachments: readonly { readonly filename: string; readonly sizeBytes: number; readonly digest: string }[];
  readonly raw: string;
}

/** A mail part by part and in its bytes; anything else as its preview. */
export function PreparedView({ prepared, preview }: { readonly prepared: JsonValue; readonly preview: string }) {
  if (!isMail(prepared)) return <pre>{preview}</pre>;
  const rows: readonly (readonly [string, string])[] = [
    [texts.approval.from, prepared.account],
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
  return typeof value === "object" && value !== null && !Array.isArray(value) && Array.isArray(value["to"]) && typeof value["raw"] === "string" && typeof value["bodyText"] === "string";
}

function decode(raw: string): string {
  const bytes = Uint8Array.from(atob(raw.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}

/** Characters that hide or turn text around are shown by their number. */
function visible(text: string): string {
  return text.replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]/g, (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}
