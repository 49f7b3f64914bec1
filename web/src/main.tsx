import { render } from "preact";
import { App } from "./app";
import { house } from "./house";
import { setLang } from "./i18n";
import { watchInstall } from "./install";
import { prefs } from "./prefs";
import { startRouter } from "./router";
import { applyTheme } from "./theme";
import { applyMotion } from "./ui/pace";
import { watchVersion } from "./version";
import "./ui/theme.css";
import "./app.css";

applyTheme();
applyMotion();
startRouter();
watchInstall();
void house.start().then(async () => {
  if (house.me && prefs.notify) await (await import("./push")).startPush();
});
void watchVersion();
void setLang(prefs.lang).then(() => render(<App />, document.getElementById("app")!));
