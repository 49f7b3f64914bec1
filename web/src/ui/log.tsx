// What happened, in the engine's sentences, newest last; each line leads to its rule.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n";
import type { LogLine } from "../table";

export function Log({ lines, game, openRule }: {
  lines: LogLine[];
  game: string;
  openRule?(rule: string): void;
}): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const l = list.current;
    if (l) l.scrollTop = l.scrollHeight;
  }, [lines.length]);
  return (
    <ol class="log plain" ref={list} tabIndex={0} aria-label={t("What happened")}>
      {lines.map((l) => (
        <li key={l.n}>
          <span>{l.text}</span>
          {l.rule ? (
            <a class="rule" href={`/rules/${game}#${l.rule}`} title={l.rule} aria-label={t("Rule {rule}", { rule: l.rule })}
              onClick={(e) => {
                if (!openRule) return;
                e.preventDefault();
                openRule(l.rule!);
              }}>§</a>
          ) : null}
        </li>
      ))}
    </ol>
  );
}
