import { filterOf } from './areas/fetch.ts';
import type { Outcome } from './evaluate.ts';
import { perByte } from './judge.ts';

/** Returns the operation of a tenant, as `docs/operating.md` lists it. */
function operationOf({ area, values }: Outcome): string {
  if (area !== 'fetch') return area;
  const filter = filterOf(values);
  if (filter === undefined) return 'fetch';
  return filter === 'sparse' || filter === 'nested' ? 'sparse patterns' : 'filters';
}

/** Formats the highest costs of each operation as a Markdown table. */
export function costTable(outcomes: readonly Outcome[]): string {
  const groups = Map.groupBy(outcomes, operationOf);
  const rows = [...groups].map(([operation, group]) => {
    const most = (of: (outcome: Outcome) => number): number => group.reduce((max, one) => Math.max(max, of(one)), 0);
    return [
      operation,
      String(group.length),
      ...[
        most((outcome) => perByte(outcome, outcome.units)),
        most(({ units, requests }) => units / requests / 1e6),
        most(({ step }) => step / 1e6),
        most(({ reserved }) => reserved / 1e6),
        most(({ stored, requests }) => stored / requests / 1e6),
      ].map((value) => value.toLocaleString('en', { maximumSignificantDigits: 2 })),
    ];
  });
  const heads = ['operation', 'inputs', 'work a byte', 'work (ms)', 'step (ms)', 'memory (MB)', 'stored (MB)'];
  return [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
