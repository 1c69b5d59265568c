import { useEffect, type ReactNode } from "react";
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
    <div className={cx("mx-auto w-full px-4 py-6 sm:px-6 sm:py-8", width === "text" ? "max-w-3xl" : "max-w-5xl")}>
      <header className="mb-6 flex flex-wrap items-start justify-between gap-3">
        <div className="flex min-w-0 items-center gap-4">
          {lead}
          <div className="min-w-0">
            <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight outline-none wrap-anywhere">{title}</h1>
            {about !== undefined && <p className="mt-1 max-w-prose text-quiet">{about}</p>}
          </div>
        </div>
        {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** Where a page begins, for who uses a keyboard or hears it. */
export function pageHeading(): HTMLElement | null {
  return document.querySelector("main h1");
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.name}`;
    return () => {
      document.title = texts.name;
    };
  }, [title]);
}
