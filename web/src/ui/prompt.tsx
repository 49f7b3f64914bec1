// Who is asked for what, in one sentence above the table. While the connection is lost nobody can be asked anything: its
// sentence says that instead.
import type { JSX } from "preact";
import { Icon } from "./icons";
import { useLost } from "./signs";

export function Prompt({ text, mine }: { text: string; mine: boolean }): JSX.Element {
  const lost = useLost();
  return (
    <p class={lost ? "prompt lost" : mine ? "prompt mine" : "prompt"} id="prompt" tabIndex={-1}>
      {lost ? <><Icon name="cloud" size={18} /> <span>{lost}</span></> : text}
    </p>
  );
}
