import { currentApprovals, groupApprovals, type ApprovalView } from "@bron/protocol";
import { useState } from "react";

/** One line of the inbox: an approval, or several that are decided together. */
interface PendingGroup {
  readonly key: string;
  readonly approvals: readonly ApprovalView[];
}

/** All of one name are together, because all of them are pending. */
export function pendingGroups(waiting: readonly ApprovalView[]): PendingGroup[] {
  return groupApprovals(waiting).map((approvals) => ({
    key: keyOf(approvals[0]),
    approvals,
  }));
}

function keyOf(approval: ApprovalView | undefined): string {
  return approval?.group ?? approval?.id ?? "";
}

/** There is room for the list and what is open, side by side. */
export const wide = "(min-width: 64rem)";

interface OpenGroup {
  readonly openKey: string | undefined;
  /** What was pending of it since it was opened, so that its outcomes can be shown. */
  readonly shown: readonly ApprovalView[];
  open(key: string): void;
  /**
   * Opens the line after the open one, or else one before it, that has more than `decided`. Returns
   * whether there is one.
   */
  openNext(decided: ReadonlySet<string>): boolean;
}

/**
 * The open line of the inbox, with the approvals that have left it and those that replaced them
 * after an edit. On a wide screen the first line opens by itself.
 */
export function useOpenGroup(groups: readonly PendingGroup[]): OpenGroup {
  const [openKey, setOpenKey] = useState<string>();
  const [shown, setShown] = useState<readonly ApprovalView[]>([]);
  const openGroup = groups.find(({ key }) => key === openKey);
  const next = openGroup ? addNew(shown, openGroup.approvals) : shown;
  if (next !== shown) setShown(next);
  const [first] = groups;
  const open = (key: string) => {
    if (key === openKey) return;
    setOpenKey(key);
    setShown([]);
  };
  if (openKey === undefined && first && matchMedia(wide).matches) setOpenKey(first.key);
  const openNext = (decided: ReadonlySet<string>) => {
    const at = groups.findIndex(({ key }) => key === openKey);
    const isLeft = ({ key, approvals }: PendingGroup) =>
      key !== openKey && approvals.some(({ id }) => !decided.has(id));
    const another =
      groups.slice(at + 1).find(isLeft) ?? groups.slice(0, Math.max(0, at)).findLast(isLeft);
    if (another) open(another.key);
    return another !== undefined;
  };
  return { openKey, shown: next, open, openNext };
}

/** The newest version of what is known, then what is new. */
function addNew(
  known: readonly ApprovalView[],
  pending: readonly ApprovalView[],
): readonly ApprovalView[] {
  const isKnown = pending.every((approval) =>
    known.some(({ id, digest }) => id === approval.id && digest === approval.digest),
  );
  if (isKnown) return known;
  const byId = new Map([...known, ...pending].map((approval) => [approval.id, approval]));
  return [...byId.values()];
}

/** Whether these are several effects, and not versions of one. */
export function isGroup(approvals: readonly ApprovalView[]): boolean {
  return currentApprovals(approvals).length > 1;
}
