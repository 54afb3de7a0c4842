/**
 * Writes the reports of the examples again: `node conformance/examples/write-reports.ts [NAME]`. With the id of a case
 * (or `git/http/*`), it only shows the results of these. All take a quarter of an hour.
 */

import { resultLine } from '@packhouse/conformance';
import { examples, runExample } from './examples.ts';
import { keepReport } from './kept-report.ts';

const [name, ...patterns] = process.argv.slice(2);
for (const example of examples.filter((one) => name === undefined || one.name === name)) {
  const chosen = patterns.length === 0 ? [example.pattern] : patterns;
  const report = await runExample(example, chosen, (result) => console.log(resultLine(result)));
  console.log(example.name, report.counts);
  if (patterns.length > 0) continue;
  for (const id of keepReport(example.name, report)) console.log(`say why in ${example.name}.json: ${id}`);
}
