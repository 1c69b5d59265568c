import { useEffect, useState } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { watchForNewVersion } from "./app-shell.ts";

/** Says that the server has a newer page. It changes only when the owner wants it. */
export function NewVersion() {
  const [apply, setApply] = useState<() => void>();
  useEffect(() => watchForNewVersion((take) => setApply(() => take)), []);
  if (!apply) return null;
  return (
    <p
      role="status"
      className="flex items-center justify-center gap-3 border-b border-edge bg-accent-soft px-4 py-1.5 text-sm"
    >
      {texts.shell.newVersion}
      <Button className="min-h-8 !py-1" onClick={apply}>
        {texts.shell.reload}
      </Button>
    </p>
  );
}
