import type { RunView } from "@bron/protocol";

export interface TaskProps {
  readonly run: RunView;
  /** The newest task of its conversation. */
  readonly isLast: boolean;
  /** Called when an open approval first appears. */
  onAsked(element: HTMLElement): void;
}
