import axe from 'axe-core';
import type { WatchedPage } from './watched-page.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The parts of an axe-core result that a failure shows. */
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

/** Runs axe-core within the page by the debugger, which the policy of the page does not restrict. */
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

/** Returns violated rules of WCAG 2.2 A and AA, violated best practices, and findings that need human judgement. */
export const findBarriers = async (watched: WatchedPage): Promise<readonly string[]> => {
  const { passes, violations, incomplete } = await audit(watched);
  const idle = passes.length < 15 ? ['axe-core looked at next to nothing'] : [];
  return [...idle, ...summary(violations), ...summary(incomplete)];
};
