// A link to send to somebody, to be copied by a button or by hand.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "./icons";

export function CopyLink({ link, label }: { link: string; label: string }): JSX.Element {
  const [copied, setCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(link);
      setCopied(true);
      setTimeout(() => setCopied(false), 2500);
    } catch {
      // Not allowed here: the field beside the button can be copied by hand.
    }
  }
  return (
    <div class="copy">
      <input readOnly value={link} aria-label={label} onFocus={(e) => e.currentTarget.select()} />
      <button onClick={() => void copy()}>
        <Icon name={copied ? "check" : "link"} size={18} /> {copied ? t("Copied") : t("Copy")}
      </button>
    </div>
  );
}
