// Louis XIV as the pages know it.
import type { GameUi } from "../index";
import { lesson as favorita } from "../lessons/favorita";
import { lesson } from "../lessons/louis";
import { LouisBoard } from "./board";
import { Legend } from "./legend";
import { louisMoments } from "./moment";
import { partsOf } from "./parts";
import { LouisResult } from "./result";
import { louisStory } from "../stories/louis";

export const ui: GameUi = {
  id: "louis", lessons: [lesson, favorita], Board: LouisBoard, Result: LouisResult, moments: louisMoments, story: louisStory, Legend,
  parts: partsOf, irreversible: (action) => /^(trade|fulfil)/.test(action),
};
