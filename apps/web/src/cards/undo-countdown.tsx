import { useEffect, useState } from "react";
import { api } from "../api.ts";
import { texts } from "../texts.ts";

interface UndoProps {
  readonly approvalId: string;
  readonly until: string;
  onDone(): void;
}

/** Approved, but not begun: the seconds that are left, and a way back. */
export function UndoCountdown({ approvalId, until, onDone }: UndoProps) {
  const leftSeconds = () => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1_000));
  const [left, setLeft] = useState(leftSeconds);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const timer = setInterval(() => setLeft(leftSeconds()), 250);
    return () => clearInterval(timer);
    // The time is named by `until`; the function is another one at each rendering.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [until]);
  if (left === 0) return null;
  const undo = () => {
    api.approvals.undo(approvalId).then(onDone, (failure: unknown) => {
      setError(failure instanceof Error ? failure.message : String(failure));
      onDone();
    });
  };
  return (
    <div className="row">
      <span role="timer">{texts.approval.beginsIn(left)}</span>
      <button type="button" onClick={undo}>
        {texts.approval.undo}
      </button>
      {error !== undefined && <span role="alert">{error}</span>}
    </div>
  );
}
