// Light or dark: what the system says, unless the person chose.
import { keep, prefs } from "./prefs";

const system = matchMedia("(prefers-color-scheme: dark)");

export function applyTheme(): void {
  const root = document.documentElement;
  if (prefs.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = prefs.theme;
}

export const isDark = (): boolean => (prefs.theme === "auto" ? system.matches : prefs.theme === "dark");

export function switchTheme(): void {
  const next = isDark() ? "light" : "dark";
  keep({ theme: next === (system.matches ? "dark" : "light") ? "auto" : next });
  applyTheme();
}
