import type { ApprovalView as Approval, RunStatus } from "@bron/protocol";
import { useState } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { useLoad } from "../use-load.ts";
import { PreparedView } from "./prepared-view.tsx";

/** Exactly what would be done, and the decision on exactly that: the digest that is sent belongs to what is on the screen. */
export function ApprovalView({ approvalId, runStatus }: { readonly approvalId: string; readonly runStatus: RunStatus }) {
  // Asked again whenever the run moves: another tab may have decided.
  const { value: approval, error, reload } = useLoad(`${approvalId} ${runStatus}`, () => api.approvals.get(approvalId));
  if (error !== undefined && !approval) return <p role="alert">{error}</p>;
  if (!approval) return <p className="quiet">{texts.loading}</p>;
  const isOpen = approval.state === "pending";
  return (
    <section className={isOpen ? "card ask" : "card"} aria-label={texts.approval.title}>
      <h3>{isOpen ? texts.approval.title : texts.approval.closed[approval.state]}</h3>
      <PreparedView prepared={approval.prepared} preview={approval.preview} />
      <p className="quiet">
        {texts.approval.why}: {approval.reason}
      </p>
      {approval.decisionReason !== null && <p>{approval.decisionReason}</p>}
      {isOpen && <Decision approval={approval} onDecided={reload} />}
    </section>
  );
}

function Decision({ approval, onDecided }: { readonly approval: Approval; readonly onDecided: () => void }) {
  const [reason, setReason] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const decide = async (verdict: "approve" | "deny") => {
    setIsBusy(true);
    setError(undefined);
    try {
      if (verdict === "approve") await api.approvals.approve(approval.id, approval.digest);
      else await api.approvals.deny(approval.id, approval.digest, reason === "" ? undefined : reason);
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setIsBusy(false);
    }
    onDecided();
  };
  return (
    <>
      <p className="quiet">
        {texts.approval.expires} <Time at={approval.expiresAt} /> · {texts.approval.digest} <code>{approval.digest.slice(0, 23)}…</code>
      </p>
      {error !== undefined && <p role="alert">{error}</p>}
      <div className="row decide">
        <button type="button" className="main" disabled={isBusy} onClick={() => void decide("approve")}>
          {isBusy ? texts.approval.deciding : texts.approval.approve}
        </button>
        <label>
          <span className="visually-hidden">{texts.approval.denyReason}</span>
          <input value={reason} placeholder={texts.approval.denyReason} onChange={(event) => setReason(event.target.value)} />
        </label>
        <button type="button" disabled={isBusy} onClick={() => void decide("deny")}>
          {texts.approval.deny}
        </button>
      </div>
    </>
  );
}
