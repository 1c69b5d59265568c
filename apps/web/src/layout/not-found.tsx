import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";

export function NotFound() {
  return (
    <Page title={texts.notFound} about={texts.notFoundHint}>
      <Link to="/" className={buttonClass("main")}>
        {texts.goHome}
      </Link>
    </Page>
  );
}
