import { useState } from "react";
import { inboxWords } from "../words/inbox.ts";
import { Button } from "../ui/button.tsx";

/** Explains notifications before the browser asks for permission. */
export function NotificationOffer() {
  const [permission, setPermission] = useState(() =>
    typeof Notification === "undefined" ? undefined : Notification.permission,
  );
  // Settings say what the browser decided.
  if (permission !== "default") return null;
  return (
    <section
      aria-label={inboxWords.notify}
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-edge px-4 py-3"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{inboxWords.notify}</p>
        <p className="text-sm text-quiet">{inboxWords.notifyHint}</p>
      </div>
      <Button onClick={() => void Notification.requestPermission().then(setPermission)}>
        {inboxWords.turnOn}
      </Button>
    </section>
  );
}
