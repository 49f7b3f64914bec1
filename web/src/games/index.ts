// The games that the pages know.
import type { ComponentType } from "preact";
import { t } from "../i18n";
import type { Snapshot } from "../table";
import { DoorsBoard, DoorsResult } from "./doors";
import { FavorBoard, FavorResult } from "./favor";
import type { BoardProps } from "./kit";
import { TrapsBoard, TrapsResult } from "./traps";

export interface GameUi {
  id: string;
  title(): string;
  Board: ComponentType<BoardProps>;
  Result: ComponentType<{ snap: Snapshot }>;
  irreversible(action: string): boolean;
}
export const games: GameUi[] = [
  { id: "doors", title: () => t("Doors"), Board: DoorsBoard, Result: DoorsResult, irreversible: (a) => /^(guess|claim)/.test(a) },
  { id: "favor", title: () => t("Favor"), Board: FavorBoard, Result: FavorResult, irreversible: () => false },
  { id: "traps", title: () => t("Traps"), Board: TrapsBoard, Result: TrapsResult, irreversible: (a) => /^(reveal|stop)/.test(a) },
];
