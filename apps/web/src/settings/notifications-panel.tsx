import { useState } from "react";
import { settingsWords } from "../words/settings.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";

/** Explains notifications before the browser asks for permission. */
export function NotificationsPanel() {
  const [state, setState] = useState<keyof typeof settingsWords.notificationStates>(() =>
    typeof Notification === "undefined" ? "unsupported" : Notification.permission,
  );
  return (
    <Panel title={settingsWords.notifications}>
      <p className="text-sm text-quiet">{settingsWords.notificationsAbout}</p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <p role="status" className="text-sm">
          {settingsWords.notificationStates[state]}
        </p>
        {state === "default" && (
          <Button onClick={() => void Notification.requestPermission().then(setState)}>
            {settingsWords.turnOnNotifications}
          </Button>
        )}
      </div>
    </Panel>
  );
}
