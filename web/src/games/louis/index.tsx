// Louis XIV as the pages know it.
import type { GameUi } from "../index";
import { lesson } from "../lessons/louis";
import { LouisBoard } from "./board";
import { Legend } from "./legend";
import { LouisResult } from "./result";

export const ui: GameUi = {
  id: "louis", lesson, Board: LouisBoard, Result: LouisResult, Legend,
  irreversible: (action) => /^(trade|fulfil)/.test(action),
};
