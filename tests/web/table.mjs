// A table as one sees, hears and touches it: what fits on a screen, and the moments of a game.
//   node tests/web/table.mjs SALOTTO [PART OF A NAME]
import { chooser } from "./lib.mjs";
import { fitCases } from "./fit.mjs";
import { hearingCases } from "./hearing.mjs";
import { momentCases } from "./moments.mjs";
import { run } from "./run.mjs";

await run((world) => [...fitCases(world, chooser), ...momentCases(world, chooser), ...hearingCases(world, chooser)]);
