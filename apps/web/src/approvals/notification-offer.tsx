import { useState } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";

/** Says what for before the browser asks. */
export function NotificationOffer() {
  const [permission, setPermission] = useState(() =>
    typeof Notification === "undefined" ? undefined : Notification.permission,
  );
  if (permission === undefined) return null;
  if (permission !== "default")
    return (
      <p className="mb-6 text-sm text-quiet">
        {permission === "granted" ? texts.inbox.told : texts.inbox.refused}
      </p>
    );
  return (
    <section
      aria-label={texts.inbox.tellMe}
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-edge px-4 py-3"
    >
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-medium">{texts.inbox.tellMe}</p>
        <p className="text-sm text-quiet">{texts.inbox.tellMeHint}</p>
      </div>
      <Button onClick={() => void Notification.requestPermission().then(setPermission)}>
        {texts.inbox.allow}
      </Button>
    </section>
  );
}
