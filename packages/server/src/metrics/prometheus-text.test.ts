import { fc, test } from '@fast-check/vitest';

import { expect } from 'vitest';
import { parseMetrics } from './parse-metrics.test.util.ts';
import { formatMetrics, formatValue } from './prometheus-text.ts';

const label = fc.stringMatching(/^[a-z_][a-z0-9_]{0,9}$/);
const samples = fc.uniqueArray(
  fc.record({ labels: fc.dictionary(label, fc.string({ unit: 'binary' })), value: fc.double({ noNaN: true }) }),
  { minLength: 1, maxLength: 4, selector: ({ labels }) => JSON.stringify(labels) },
);

test.prop([samples, fc.stringMatching(/^[A-Za-z][A-Za-z\\ "]{0,20}[a-z]$/)])(
  'REPO-341: another parser reads the labels, values and help of each metric',
  (given, help) => {
    const [parsed, ...others] = parseMetrics(formatMetrics([{ name: 'a_total', help, type: 'gauge', samples: given }]));
    expect(others).toEqual([]);
    expect(parsed).toMatchObject({ name: 'a_total', help, type: 'GAUGE' });
    expect(parsed?.metrics.map(({ labels = {}, value }) => ({ labels, value }))).toEqual(
      given.map(({ labels, value }) => ({ labels: { ...labels }, value: formatValue(value) })),
    );
  },
);
