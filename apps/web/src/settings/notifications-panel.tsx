import { useState } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { Panel } from "../ui/panel.tsx";

/** Explains notifications before the browser asks for permission. */
export function NotificationsPanel() {
  const [state, setState] = useState<keyof typeof texts.settings.notificationStates>(() =>
    typeof Notification === "undefined" ? "unsupported" : Notification.permission,
  );
  return (
    <Panel title={texts.settings.notifications}>
      <p className="text-sm text-quiet">{texts.settings.notificationsAbout}</p>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <p role="status" className="text-sm">
          {texts.settings.notificationStates[state]}
        </p>
        {state === "default" && (
          <Button onClick={() => void Notification.requestPermission().then(setState)}>
            {texts.settings.turnOnNotifications}
          </Button>
        )}
      </div>
    </Panel>
  );
}
