// The parlour as people meet it: browsers against a real server.
//   node tests/web/main.mjs SALOTTO [PART OF A NAME]
import { companyCases } from "./company.mjs";
import { chooser } from "./lib.mjs";
import { gameCases } from "./games.mjs";
import { pageCases } from "./pages.mjs";
import { problemCases } from "./problems.mjs";
import { run } from "./run.mjs";
import { studyCases } from "./study.mjs";

await run((world, program) => [...gameCases(world, chooser), ...companyCases(world), ...pageCases(world, program),
  ...problemCases(world, program), ...studyCases(world, program)]);
