import type { ReactNode } from "react";
import { cx } from "./cx.ts";

interface PanelProps {
  readonly title?: string;
  readonly actions?: ReactNode;
  readonly tone?: "plain" | "ask" | "good" | "bad";
  readonly label?: string;
  /** The target of links to this section. */
  readonly id?: string;
  readonly children: ReactNode;
}

const tones = {
  plain: "border-edge bg-surface",
  ask: "border-l-4 border-ask-edge bg-surface",
  good: "border-good bg-good-soft",
  bad: "border-bad bg-bad-soft",
} as const;

/** A framed section of a page. */
export function Panel({ title, actions, tone = "plain", label, id, children }: PanelProps) {
  return (
    <section
      id={id}
      aria-label={label ?? title}
      className={cx("scroll-mt-24 rounded-xl border p-4 sm:p-5", tones[tone])}
    >
      {(title !== undefined || actions !== undefined) && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
          {title !== undefined && <h2 className="m-0 text-base font-semibold">{title}</h2>}
          {actions}
        </div>
      )}
      {children}
    </section>
  );
}
