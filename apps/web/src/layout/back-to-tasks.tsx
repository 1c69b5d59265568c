import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";
import { Icon } from "./icon.tsx";

/** Leads out of a conversation on a phone, where it has no menu. */
export function BackToTasks() {
  return (
    <Link
      to="/tasks"
      aria-label={texts.shell.back}
      title={texts.shell.back}
      className="-ml-2 inline-flex size-10 shrink-0 items-center justify-center rounded-lg text-quiet hover:text-ink md:hidden"
    >
      <Icon path="M15 5l-7 7 7 7" />
    </Link>
  );
}
