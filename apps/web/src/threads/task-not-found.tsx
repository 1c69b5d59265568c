import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";

export function TaskNotFound() {
  return (
    <Page title={texts.run.none} about={texts.run.noneHint}>
      <Link to="/" className={buttonClass("main")}>
        {texts.goHome}
      </Link>
    </Page>
  );
}
