// Who is asked for what, in one sentence above the table.
import type { JSX } from "preact";

export function Prompt({ text, mine }: { text: string; mine: boolean }): JSX.Element {
  return <p class={mine ? "prompt mine" : "prompt"} id="prompt" tabIndex={-1}>{text}</p>;
}
