import { render } from "preact";
import { App } from "./app";
import { server } from "./server";
import { setLang } from "./i18n";
import { watchInstall } from "./install";
import { prefs } from "./prefs";
import { startRouter } from "./router";
import { applyTheme } from "./theme";
import { applyMotion } from "./ui/pace";
import { listenForTouch } from "./ui/sounds";
import { watchVersion } from "./version";
import "./ui/theme.css";
import "./app.css";

applyTheme();
applyMotion();
startRouter();
watchInstall();
listenForTouch();
void server.start().then(async () => {
  if (server.me && prefs.notify) await (await import("./push")).startPush();
});
void watchVersion();
void setLang(prefs.lang).then(() => render(<App />, document.getElementById("app")!));
