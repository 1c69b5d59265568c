import { texts } from "../texts.ts";
import { settingsWords } from "../words/settings.ts";
import { Page } from "../ui/page.tsx";
import { AboutPanel } from "./about-panel.tsx";
import { AppearancePanel } from "./appearance-panel.tsx";
import { DangerPanel } from "./danger-panel.tsx";
import { NotificationsPanel } from "./notifications-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import { TokensPanel } from "./tokens-panel.tsx";

export function SettingsPage() {
  return (
    <Page title={texts.places.settings} about={settingsWords.about}>
      <div className="grid grid-cols-1 gap-5">
        <AppearancePanel />
        <NotificationsPanel />
        <SessionsPanel />
        <TokensPanel />
        <AboutPanel />
        <DangerPanel />
      </div>
    </Page>
  );
}
