import type { ApprovalView } from "@bron/protocol";
import { texts } from "../texts.ts";
import { Expiry } from "./expiry.tsx";
import { RawView } from "./prepared-view.tsx";

/** What few people need: when the request expires, the fingerprint and the bytes. */
export function ApprovalDetails({ tool, digest, expiresAt, prepared }: ApprovalView) {
  return (
    <details className="mt-3">
      <summary className="cursor-pointer text-sm text-quiet">{texts.approval.details}</summary>
      <div className="mt-2 text-sm text-quiet">
        <p>
          <Expiry at={expiresAt} />
        </p>
        <p className="wrap-anywhere">
          {texts.approval.digest} <code className="text-xs">{digest}</code> ·{" "}
          <code className="text-xs">{tool}</code>
        </p>
        <RawView prepared={prepared} />
      </div>
    </details>
  );
}
