import type { ApiResponse } from "@bron/protocol";
import { Link } from "@tanstack/react-router";
import { texts } from "../texts.ts";

/** A thin line that says what is simulated, and how to leave the demo. */
export function DemoBar({
  about: { demoMail, demoModel },
}: {
  readonly about: Pick<ApiResponse<"GET /api/about">, "demoMail" | "demoModel">;
}) {
  if (!demoMail && !demoModel) return null;
  const words = demoMail ? texts.demoMail : texts.demoModel;
  return (
    <aside
      aria-label={texts.demo}
      className="flex flex-wrap items-center justify-center gap-x-3 border-b border-edge bg-raised px-4 py-1.5 text-xs text-quiet print:hidden"
    >
      <span className="font-semibold text-ink">{texts.demo}</span>
      <span className="hidden sm:inline">{words}</span>
      {demoMail && <Link to="/demo">{texts.shell.openSandbox}</Link>}
      <Link to="/connections">
        {demoMail ? texts.shell.connectAccounts : texts.shell.connectModel}
      </Link>
    </aside>
  );
}
