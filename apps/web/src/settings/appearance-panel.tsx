import { useState } from "react";
import { settingsWords } from "../words/settings.ts";
import { Choices } from "../ui/choices.tsx";
import { Panel } from "../ui/panel.tsx";
import { chooseTheme, readTheme, themes } from "./theme.ts";

export function AppearancePanel() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <Panel title={settingsWords.theme}>
      <p className="mb-3 text-sm text-quiet">{settingsWords.themeAbout}</p>
      <Choices
        label={settingsWords.theme}
        value={theme}
        options={themes.map((value) => ({ value, name: settingsWords.themes[value] }))}
        onChange={(chosen) => {
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      />
    </Panel>
  );
}
