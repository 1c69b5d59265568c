import { groupApprovals } from "@bron/protocol";
import { useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { queries } from "../live/queries.ts";
import { notSnoozed } from "../live/snoozed.ts";
import { texts } from "../texts.ts";
import { cx } from "./cx.ts";

interface PageProps {
  readonly title: string;
  /** An image before the heading. */
  readonly lead?: ReactNode;
  /** A sentence about the purpose of the page. */
  readonly about?: string;
  readonly actions?: ReactNode;
  /** "wide" is for tables and charts. */
  readonly width?: "text" | "wide";
  readonly children: ReactNode;
}

/** The frame of a page: its heading, its actions and the title of the tab. */
export function Page({ title, lead, about, actions, width = "text", children }: PageProps) {
  useTitle(title);
  return (
    <div
      className={cx(
        "mx-auto w-full px-4 py-6 sm:px-6 sm:py-8",
        width === "text" ? "max-w-3xl" : "max-w-5xl",
      )}
    >
      <header className="mb-6 flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 items-center gap-4">
          {lead}
          <div className="min-w-0">
            <h1
              tabIndex={-1}
              className="text-2xl font-semibold tracking-tight outline-none wrap-anywhere"
            >
              {title}
            </h1>
            {about !== undefined && <p className="mt-1 max-w-prose text-quiet">{about}</p>}
          </div>
        </div>
        {actions !== undefined && (
          <div className="flex flex-wrap items-center gap-2">{actions}</div>
        )}
      </header>
      {children}
    </div>
  );
}

/** The heading of the page, as a target for the focus. */
export function pageHeading(): HTMLElement | null {
  return document.querySelector("main h1");
}

/** A tab shows no more than this. */
const maxTitle = 60;

/**
 * Sets the title of the tab, with the number of pending approvals and questions. `state` says what
 * a task waits for.
 */
export function useTitle(title: string, state: string | null = null): void {
  const { data: approvals = 0 } = useQuery({
    ...queries.pendingApprovals(),
    select: (pending) => groupApprovals(notSnoozed(pending)).length,
  });
  const { data: questions = 0 } = useQuery({
    ...queries.pendingQuestions(),
    select: ({ length }) => length,
  });
  const waiting = approvals + questions;
  const words = title.length > maxTitle ? `${title.slice(0, maxTitle).trimEnd()}…` : title;
  useEffect(() => {
    document.title = texts.tab({ title: words, state, waiting });
    return () => {
      document.title = texts.name;
    };
  }, [words, state, waiting]);
}
