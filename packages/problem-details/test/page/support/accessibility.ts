import axe from 'axe-core';
import type { WatchedPage } from './watched-page.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What of an answer of axe-core is told of a failure. */
interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

interface Audit {
  readonly passes: readonly Finding[];
  readonly violations: readonly Finding[];
  readonly incomplete: readonly Finding[];
}

const summary = (findings: readonly Finding[]): string[] =>
  findings.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html}: ${failureSummary}`),
  );

/** Has the debugger run axe-core within the page, which the policy of the page does not forbid. */
const audit = async ({ debug }: WatchedPage): Promise<Audit> => {
  const options = JSON.stringify({ runOnly: { type: 'tag', values: rules } });
  await debug.send('Runtime.evaluate', { expression: axe.source });
  const { result, exceptionDetails } = await debug.send('Runtime.evaluate', {
    expression: `axe.run(document, ${options}).then(({ passes, violations, incomplete }) => JSON.stringify({ passes, violations, incomplete }))`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error(`axe-core failed: ${exceptionDetails.text}`);
  return JSON.parse(String(result.value)) as Audit;
};

/** Broken rules of WCAG 2.2 A and AA, broken best practices, and what axe-core leaves for a person to judge. */
export const findBarriers = async (watched: WatchedPage): Promise<readonly string[]> => {
  const { passes, violations, incomplete } = await audit(watched);
  const idle = passes.length < 15 ? ['axe-core looked at next to nothing'] : [];
  return [...idle, ...summary(violations), ...summary(incomplete)];
};
