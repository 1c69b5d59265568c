import { useQuery } from "@tanstack/react-query";
import { useEffect, type ReactNode } from "react";
import { queries } from "../live/queries.ts";
import { texts } from "../texts.ts";
import { cx } from "./cx.ts";

interface PageProps {
  readonly title: string;
  /** A picture before the heading. */
  readonly lead?: ReactNode;
  /** A sentence that says what this page is for. */
  readonly about?: string;
  readonly actions?: ReactNode;
  /** Tables and charts want room; text does not. */
  readonly width?: "text" | "wide";
  readonly children: ReactNode;
}

/** The frame of every page: its heading, what can be done on it, and the title of the tab. */
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

/** Where a page begins, for who uses a keyboard or hears it. */
export function pageHeading(): HTMLElement | null {
  return document.querySelector("main h1");
}

/** Longer ones say no more on a tab. */
const maxTitle = 60;

/** Of the tab, with how many decisions wait: it is seen while one looks elsewhere. */
export function useTitle(title: string): void {
  const { data: waiting = 0 } = useQuery({
    ...queries.pendingApprovals(),
    select: ({ length }) => length,
  });
  const words = title.length > maxTitle ? `${title.slice(0, maxTitle).trimEnd()}…` : title;
  useEffect(() => {
    document.title = texts.tab(words, waiting);
    return () => {
      document.title = texts.name;
    };
  }, [words, waiting]);
}
