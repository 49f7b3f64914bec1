// What happened, in the engine's sentences, newest last; each line leads to its rule.
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { useNewest } from "../hooks";
import { t } from "../i18n";
import type { LogLine } from "../table";

export function Log({ lines, game, openRule, jump }: {
  lines: LogLine[];
  game: string;
  openRule?(rule: string): void;
  /** In a replay a line leads to where it happened. */
  jump?(line: LogLine): void;
}): JSX.Element {
  const list = useRef<HTMLOListElement>(null);
  useNewest(list, lines.length);
  // One stop for Tab; the arrows go from rule to rule.
  const arrows = (e: KeyboardEvent) => {
    const step = e.key === "ArrowUp" ? -1 : e.key === "ArrowDown" ? 1 : 0;
    const links = [...(list.current?.querySelectorAll<HTMLElement>("a.rule") ?? [])];
    if (!step || !links.length) return;
    const at = links.indexOf(document.activeElement as HTMLElement);
    links[at < 0 ? links.length - 1 : Math.max(0, Math.min(links.length - 1, at + step))]!.focus();
    e.preventDefault();
  };
  return (
    <ol class="log plain" ref={list} tabIndex={0} aria-label={t("What happened")} onKeyDown={arrows}>
      {lines.map((l) => (
        <li key={l.n}>
          {jump ? <button class="link" tabIndex={-1} onClick={() => jump(l)}>{l.text}</button> : <span>{l.text}</span>}
          {l.rule ? (
            <a class="rule" tabIndex={-1} href={`/rules/${game}#${l.rule}`} title={l.rule} aria-label={t("Rule {rule}", { rule: l.rule })}
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
