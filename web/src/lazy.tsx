// A page whose code is fetched when it is first shown.
import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { allWords, t } from "./i18n";

export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): (props: P) => JSX.Element {
  let loaded: ComponentType<P> | null = null;
  return function Lazy(props: P): JSX.Element {
    const [state, set] = useState<"waiting" | "there" | "failed">(loaded ? "there" : "waiting");
    useEffect(() => {
      if (loaded) return;
      let alive = true;
      Promise.all([load(), allWords()]).then(
        ([page]) => {
          loaded = page;
          if (alive) set("there");
        },
        () => alive && set("failed"),
      );
      return () => void (alive = false);
    }, []);
    if (loaded) {
      const Page = loaded;
      return <Page {...props} />;
    }
    if (state === "failed")
      return (
        <p class="notice bad" role="alert">
          {t("This page could not be loaded.")} <button onClick={() => location.reload()}>{t("Try again")}</button>
        </p>
      );
    return <p class="muted">{t("One moment…")}</p>;
  };
}
