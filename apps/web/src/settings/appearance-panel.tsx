import { useState } from "react";
import { texts } from "../texts.ts";
import { Choices } from "../ui/choices.tsx";
import { Panel } from "../ui/panel.tsx";
import { chooseTheme, readTheme, themes } from "./theme.ts";

export function AppearancePanel() {
  const [theme, setTheme] = useState(readTheme);
  return (
    <Panel title={texts.settings.theme}>
      <p className="mb-3 text-sm text-quiet">{texts.settings.themeAbout}</p>
      <Choices
        label={texts.settings.theme}
        value={theme}
        options={themes.map((value) => ({ value, name: texts.settings.themes[value] }))}
        onChange={(chosen) => {
          chooseTheme(chosen);
          setTheme(chosen);
        }}
      />
    </Panel>
  );
}
