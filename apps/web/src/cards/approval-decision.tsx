import type { ApprovalView } from "@bron/protocol";
import { useState } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";
import { Time } from "../time.tsx";
import { EditForm } from "./edit-form.tsx";

/** Approve, deny, edit, or say in words what should be different: each on exactly what is on the screen. */
export function ApprovalDecision({ approval, onDecided }: { readonly approval: ApprovalView; readonly onDecided: () => void }) {
  const { id, digest, editable } = approval;
  const [words, setWords] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [isEditing, setIsEditing] = useState(false);
  const [error, setError] = useState<string>();
  const decide = async (decision: Promise<unknown>) => {
    setIsBusy(true);
    setError(undefined);
    try {
      await decision;
    } catch (failure) {
      setError(failure instanceof Error ? failure.message : String(failure));
      setIsBusy(false);
    }
    onDecided();
  };
  return (
    <>
      <p className="quiet">
        {texts.approval.expires} <Time at={approval.expiresAt} /> · {texts.approval.digest} <code>{digest.slice(0, 23)}…</code>
      </p>
      {error !== undefined && <p role="alert">{error}</p>}
      {isEditing && editable ? (
        <EditForm editable={editable} isBusy={isBusy} onSave={(changes) => void decide(api.approvals.edit(id, digest, changes))} onCancel={() => setIsEditing(false)} />
      ) : (
        <div className="row decide">
          <button type="button" className="main" disabled={isBusy} onClick={() => void decide(api.approvals.approve(id, digest))}>
            {isBusy ? texts.approval.deciding : texts.approval.approve}
          </button>
          {editable && (
            <button type="button" disabled={isBusy} onClick={() => setIsEditing(true)}>
              {texts.approval.edit}
            </button>
          )}
          <label>
            <span className="visually-hidden">{texts.approval.denyReason}</span>
            <input value={words} placeholder={texts.approval.denyReason} onChange={(event) => setWords(event.target.value)} />
          </label>
          <button type="button" disabled={isBusy} onClick={() => void decide(api.approvals.deny(id, digest, words === "" ? undefined : words))}>
            {texts.approval.deny}
          </button>
          <button type="button" disabled={isBusy || words.trim() === ""} title={texts.approval.answerHint} onClick={() => void decide(api.approvals.answer(id, digest, words))}>
            {texts.approval.answer}
          </button>
        </div>
      )}
    </>
  );
}
