// A pile of tokens: a coin and how many.
import type { JSX } from "preact";
import { number, tn } from "../i18n";
import "./token.css";

export function Tokens({ n }: { n: number }): JSX.Element {
  return (
    <span class="tokens" role="img" aria-label={tn("{n} token", "{n} tokens", n)}>
      <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <circle cx="12" cy="12" r="10.500" class="coin" />
        <circle cx="12" cy="12" r="7" class="rim" />
      </svg>
      <span aria-hidden="true">{number(n)}</span>
    </span>
  );
}
