// What the little pictures of the court stand for, in words.
import type { ComponentChildren } from "preact";
import { t } from "../../i18n";
import { ChipArt, FavouriteArt, GoldArt, InfluenceArt, IntrigueArt, LouisArt, MarkerArt, ShieldArt } from "../../ui/art/court";
import { CHIPS, chipName, privilege } from "./court";

export function Legend() {
  const signs: [ComponentChildren, string][] = [
    [<MarkerArt seat={0} />, t("markers ready")], [<span class="faint"><MarkerArt seat={0} /></span>, t("markers in the general supply")],
    [<MarkerArt seat={-1} />, t("neutral markers")], [<GoldArt />, t("gold")], [<InfluenceArt />, t("influence cards")],
    [<IntrigueArt />, t("intrigue cards")], [<ShieldArt kind={0} />, t("shields")],
    ...CHIPS.map((c): [ComponentChildren, string] => [<ChipArt of={c} />, chipName(c)]), [<ChipArt of="any" />, t("any chip")],
    [<LouisArt />, t("Louis: the majority here also gets a crown")], [<FavouriteArt />, t("the Favourite: markers for everyone present")],
    ["✦", t("missions: light, medium, dark")], ["◆ ●", t("red side, black side")],
    [t("majority"), t("only the majority gets the reward")], [t("pay {n}", { n: 3 }), t("the majority gets it free, others may pay")],
    [t("min {n}", { n: 2 }), t("everyone with at least so many markers gets it")],
    ...[1, 2, 3, 4].map((i): [ComponentChildren, string] => [<span class="space">{i}</span>, privilege(i)]),
  ];
  return (
    <section class="legend" aria-label={t("Legend")}>
      <h3>{t("Legend")}</h3>
      <dl>{signs.map(([sign, text], i) => <div key={i} class="thing"><dt>{sign}</dt><dd>{text}</dd></div>)}</dl>
    </section>
  );
}

