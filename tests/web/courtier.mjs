// Louis XIV so that every phase comes up soon: a court, and how somebody plays in it who wants to be asked everything.
import { spawnSync } from "node:child_process";

/** Everybody is rich, tiles give a chip to whoever pays, and the missions have the powers that ask something. */
export function busyCourt(program) {
  const court = JSON.parse(spawnSync(program, ["court", "show", "--json"]).stdout.toString());
  const powers = { light: ["swap", "swap"], medium: ["tie", "recoup"], dark: ["any2", "intr"] };
  court.setup.gold = 20;
  for (const tile of court.tiles)
    if (tile.reward.startsWith("chip:")) tile.black = tile.red;
  court.missions = court.missions.map(({ id, tier, cost }, n) => ({ id, tier, cost, power: powers[tier][n % 2] }));
  return court;
}

/** What somebody at seat 0 may choose: they keep privilege 1, spread their markers, pay, and complete missions, light
 * ones first, while two chips remain to be kept. */
export function courtier(legal, { phase, chips }) {
  const mine = Object.values(chips[0]).reduce((a, b) => a + b);
  const wise = {
    setup: /^favour 1/, withdraw: /^pass/, influence: /( \d+:1){3}/, pay: /^pay/, draw: /(medium|dark)$/, recoup: /^recoup/,
    mission: mine < 4 ? /^done/ : legal.some((a) => a.startsWith("fulfil L")) ? /^fulfil L/ : /^fulfil/,
  }[phase];
  const found = wise ? legal.filter((a) => wise.test(a)) : [];
  return found.length ? found : phase === "mission" ? ["done"] : legal;
}
