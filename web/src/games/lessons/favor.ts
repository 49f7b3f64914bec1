// A first game of Favor: three auctions under guidance, then the table is yours.
import { t } from "../../i18n";
import type { Lesson } from "../index";

export const lesson: Lesson = {
  players: 3,
  options: { first: 0, edition: "it" },
  deal: [{ identities: ["RT", "BL", "RL"], deck: ["RT", "BL", "BT", "RL", "RT", "BR"] }],
  script: [
    { seat: 1, action: "bid 1" }, { seat: 2, action: "bid 2" },
    { seat: 1, action: "add" }, { seat: 2, action: "auction" },
    { seat: 1, action: "bid 2" }, { seat: 2, action: "pass" },
    { seat: 1, action: "auction" }, { seat: 2, action: "bid 1" }, { seat: 1, action: "pass" },
  ],
  steps: [
    { point: ".own .identity", rule: "favor.setup.identity",
      say: () => t("Three days of auctions, and every day you are somebody else. Today you are the Red Tiger; nobody else knows it.") },
    { point: ".own .identity", rule: "favor.score.exact",
      say: () => t("At the end of the day each card you bought counts: 3 points if it is identical to your identity, 1 if it shares your colour or your role, and minus 2 if it shares neither.") },
    { point: ".own .stats", rule: "favor.score.gems",
      say: () => t("You pay with gems. Everyone has 5 each day, and whoever has the most left at the end of the day gets 3 more points.") },
    { point: ".lot", rule: "favor.turn.choice",
      say: () => t("This is the lot: a Red Tiger, worth 3 points to you. On your turn you either add a card to the lot or call an auction.") },
    { point: ".lot", act: "auction", rule: "favor.auction.order",
      say: () => t("Call an auction. The others speak first, each only once, and you last.") },
    { point: ".bids", act: "bid 3", rule: "favor.auction.caller-wins",
      say: () => t("The others went up to 2 gems. A caller who wins pays the others, in equal parts. Bid 3 and it is yours.") },
    { point: ".own .fan", rule: "favor.collection.open",
      say: () => t("You have the Red Tiger, for 3 gems: each of the others got 1, and the one that could not be shared went out of play.") },
    { point: ".lot", rule: "favor.add.one",
      say: () => t("Then one player added a card and the next called an auction. The caller's left neighbour speaks first: that is you.") },
    { point: ".bids", act: "pass", rule: "favor.score.none",
      say: () => t("A Blue Lady has nothing in common with you and costs 2 points; the Blue Tiger brings 1. Together they are worse than nothing. Pass.") },
    { point: ".opponents", rule: "favor.auction.pay-caller",
      say: () => t("The highest bid took both cards, and the price went to the caller. So calling can earn you gems, if others want the lot. And look: whoever pays for blue cards may well be blue.") },
    { point: ".lot", act: "add", rule: "favor.add.one",
      say: () => t("Your turn, with a Red Lady in the lot: 1 point for you. Let it grow: add a card.") },
    { point: ".bids", act: "bid 2", rule: "favor.bid.beat",
      say: () => t("A Red Tiger came up, and somebody called an auction. The lot is worth 4 points to you, and your bid must beat the highest. Bid 2.") },
    { point: ".own .fan", rule: "favor.score.special",
      say: () => t("Both are yours, and the caller got your 2 gems. The two special cards are worth nothing themselves, but each can make one of your cards identical to your identity. The day ends with a final auction of the last lot. Play on: the day is yours.") },
  ],
};
