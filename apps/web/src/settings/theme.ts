export const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const key = "bron-theme";

/** Stored in this browser. Without storage, the theme follows the system. */
export function readTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(key)) ?? "system";
  } catch {
    return "system";
  }
}

export function applyTheme(theme: Theme = readTheme()): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Without storage, the theme lasts until the page is closed.
  }
}
