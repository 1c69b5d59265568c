import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { buttonClass } from "./button.tsx";
import { Page } from "./page.tsx";

/** Shown if what a link names does not exist, or belongs to another owner. */
export function MissingPage({ title }: { readonly title: string }) {
  return (
    <Page title={title} about={texts.missingHint}>
      <Link to="/" className={buttonClass("main")}>
        {texts.goHome}
      </Link>
    </Page>
  );
}
