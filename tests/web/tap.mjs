// The results of a test's cases, one after the other, as TAP.
let count = 0;
let failures = 0;

export function report(name, error) {
  count++;
  if (error) failures++;
  if (error) for (const line of String(error.stack ?? error).split("\n").slice(0, 12)) console.log(`# ${line}`);
  console.log(`${error ? "not ok" : "ok"} ${count} - ${name}`);
}

/** Runs one case and reports it. */
export async function test(name, body) {
  try {
    await body();
    report(name);
  } catch (error) {
    report(name, error);
  }
}

/** Says how many there were; how many failed. */
export function finish() {
  console.log(`1..${count}`);
  return failures;
}
