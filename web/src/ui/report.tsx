// Telling the administrator about somebody at the table.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { seatNames } from "../names";
import type { Table } from "../table";
import { Dialog } from "./dialog";

/** The people whom one can report: those who sit at the table, but not oneself. */
export function reportable(table: Table): { person: number; name: string }[] {
  const { seats, seat } = table.snapshot;
  if (!table.report) return [];
  const names = seatNames(seats);
  return seats.flatMap((s, n) => (s.person && n !== seat ? [{ person: s.person, name: names[n]! }] : []));
}

export function ReportDialog({ table, close, sent }: { table: Table; close(): void; sent(): void }): JSX.Element {
  const people = reportable(table);
  const [person, setPerson] = useState(people[0]?.person ?? 0);
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  async function send(e: Event): Promise<void> {
    e.preventDefault();
    const answer = await table.report!(person, text.trim());
    if (!answer.ok) {
      setProblem(answer.message);
      return;
    }
    close();
    sent();
  }
  return (
    <Dialog title={t("Report somebody")} close={close}>
      <form onSubmit={(e) => void send(e)}>
        <label class="field">
          <span>{t("Whom?")}</span>
          <select value={person} onChange={(e) => setPerson(Number(e.currentTarget.value))}>
            {people.map((p) => <option key={p.person} value={p.person}>{p.name}</option>)}
          </select>
        </label>
        <label class="field">
          <span>{t("What happened?")}</span>
          <input value={text} maxLength={300} onInput={(e) => setText(e.currentTarget.value)} />
        </label>
        {problem ? <p class="bad-text small" role="alert">{problem}</p> : null}
        <div class="acts">
          <button type="button" onClick={close}>{t("Cancel")}</button>
          <button class="primary" disabled={!text.trim() || !people.length}>{t("Send")}</button>
        </div>
      </form>
    </Dialog>
  );
}
