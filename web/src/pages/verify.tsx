// The fairness check: the page plays a record again and recomputes every deal, with nobody's help.
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Refusal } from "../server";
import { useTitle } from "../hooks";
import { t, tn } from "../i18n";
import { verifyRecord } from "../offline";
import { refused } from "../online";
import { rememberedCommitment } from "../prefs";
import { Icon } from "../ui/icons";

type Verdict = Awaited<ReturnType<typeof verifyRecord>>;

export function Verify({ table }: { table: string | null }): JSX.Element {
  const [record, setRecord] = useState("");
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [commitment, setCommitment] = useState("");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  useTitle(t("Were the deals fair?"));
  const told = table ? rememberedCommitment(table) : undefined;
  const swapped = !!told && !!commitment && told !== commitment;
  const fine = !!verdict?.ok && verdict.proven && !swapped;
  const sound = !!verdict?.ok && !swapped;

  async function check(text: string): Promise<void> {
    setBusy(true);
    setProblem("");
    try {
      setVerdict(await verifyRecord(text));
      setCommitment(/^commit ([0-9a-f]{64})$/m.exec(text)?.[1] ?? "");
    } catch {
      setProblem(t("The engine could not be loaded."));
    }
    setBusy(false);
  }
  useEffect(() => {
    if (!table) return;
    void (async () => {
      try {
        const answer = await fetch(`/api/record/${encodeURIComponent(table)}`);
        if (!answer.ok) throw new Refusal("bad-request", (await answer.json()).error?.message ?? "");
        const text = await answer.text();
        setRecord(text);
        await check(text);
      } catch (why) {
        setProblem(refused(why).message);
      }
    })();
  }, [table]);

  return (
    <div class="narrow gaps">
      <h1>{t("Were the deals fair?")}</h1>
      <p>{t("Before the first card the server commits itself to its shuffles. When the game is over its keys are opened, and anyone can recompute every deal. Your browser does it here, on its own.")}</p>
      {problem ? <p class="notice bad" role="alert">{problem}</p> : null}
      {verdict ? (
        <section class={fine ? "notice good" : sound ? "notice" : "notice bad"} role="status">
          <h2><Icon name={fine ? "shield" : "close"} /> {fine ? t("Proven: every draw is the one the keys give.")
            : sound ? t("The rules hold, but the draws are not proven.") : t("Something is wrong.")}</h2>
          {verdict.ok ? (
            <ul>
              <li>{tn("{n} action follows the rules.", "{n} actions follow the rules.", verdict.actions)}</li>
              <li>{tn("{n} draw was recomputed and is right.", "{n} draws were recomputed and are right.", verdict.checked)}</li>
              {verdict.unchecked ? (
                <li>{tn("{n} draw was not checked: its key is not in the record.", "{n} draws were not checked: their keys are not in the record.", verdict.unchecked)}</li>
              ) : null}
              {verdict.given ? (
                <li>{tn("{n} draw is not random: the record fixes it.", "{n} draws are not random: the record fixes them.", verdict.given)}</li>
              ) : null}
              {verdict.parts ? null : <li>{t("No player added randomness: whoever ran the table chose the seed alone.")}</li>}
              {verdict.withheld.map((seat) => (
                <li key={seat}>{t("Seat {seat} pledged a random part and did not reveal it: zeros were used.", { seat })}</li>
              ))}
              {told && commitment ? (
                <li>{told === commitment ? t("The commitment is the one that this browser was told when it first saw the table.")
                  : t("The commitment is NOT the one that this browser was told when it first saw the table!")}</li>
              ) : null}
              <li>{!verdict.committed ? t("The record has no commitment, so the seed could have been chosen afterwards.")
                : verdict.seeded || verdict.keys ? t("The keys fit the commitment, which must be the one you were told before the first card:")
                  : t("The commitment was not checked: the record has no seed and no opened key.")} {commitment ? <code class="hash">{commitment}</code> : null}</li>
            </ul>
          ) : <p>{verdict.message}</p>}
        </section>
      ) : null}
      <form class="form" onSubmit={(e) => {
        e.preventDefault();
        void check(record);
      }}>
        <label>
          <span>{t("Game record")}</span>
          <textarea rows={8} value={record} spellcheck={false} onInput={(e) => setRecord(e.currentTarget.value)} />
        </label>
        <label>
          <span>{t("or a file")}</span>
          <input type="file" accept=".salotto,text/plain" onChange={(e) => void e.currentTarget.files?.[0]?.text().then(setRecord)} />
        </label>
        <div class="acts"><button class="primary" disabled={busy || !record.trim()}>{t("Check it")}</button></div>
      </form>
    </div>
  );
}
