import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Page } from "../ui/page.tsx";

export function NotFound() {
  return (
    <Page title={texts.notFound} about={texts.notFoundHint}>
      <Link to="/">{texts.places.chat}</Link>
    </Page>
  );
}
