import { renderRates } from '../errors/table.ts';
import { renderRuntimes } from '../report/table.ts';
import { startContenders } from './measure-start.ts';
import type { MocksResult } from './run-mocks.ts';

/** Formats all tables of a run about mocks. */
export const renderMocks = ({ seeds, ready, requests, start, codecs }: MocksResult): string =>
  [
    renderRuntimes(ready, { runtimes: seeds, others: [] }),
    renderRuntimes([start], { runtimes: startContenders.map(({ name }) => name), others: [] }),
    renderRates('request', [requests]),
    renderRates('codec', codecs),
  ].join('\n\n');
