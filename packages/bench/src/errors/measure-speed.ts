import { createPlatformErrors, render } from '@packhouse/problem-details';
import { interleave } from '../measures/rounds.ts';
import type { Row } from '../report/row.ts';
import { acceptHeaders } from './accept-headers.ts';
import { asyncCallsPerSecond, callsPerSecond } from '../measures/calls-per-second.ts';
import { checkAgreement, negotiators } from './negotiators.ts';
import { encodedLength, formats, sampleReport } from './sample-report.ts';

const rate = (name: string, title: string, samples: Row['samples']): Row => ({
  name,
  title,
  unit: 'calls/s',
  gitStarts: 0,
  samples,
});

/** Measures negotiations a second for each header. The contenders have been checked to choose the same. */
export const measureNegotiations = async (rounds: number): Promise<Row[]> => {
  checkAgreement();
  const rows: Row[] = [];
  for (const { sender, value } of acceptHeaders) {
    const contenders = negotiators.map(({ name, prepare }) => ({ name, negotiate: prepare(value) }));
    const samples = await interleave(contenders, rounds, async ({ negotiate }) => callsPerSecond(negotiate));
    rows.push(rate('negotiation', sender, samples));
  }
  return rows;
};

/** Measures renderings a second of each format, next to the minimal work for any error in JSON. */
export const measureRenderings = async (rounds: number): Promise<Row[]> => {
  const report = sampleReport();
  const rows: Row[] = [];
  for (const format of formats) {
    const contenders = [
      { name: 'packhouse', write: () => render(report, format) },
      { name: 'bare', write: () => JSON.stringify(report.problem) },
    ];
    const samples = await interleave(contenders, rounds, async ({ write }) =>
      callsPerSecond(() => encodedLength(write())),
    );
    rows.push(rate('rendering', format, samples));
  }
  return rows;
};

/** Measures responses a second, from request to `Response`, next to a minimal response with the same problem. */
export const measureResponses = async (rounds: number): Promise<Row[]> => {
  const errors = createPlatformErrors();
  const { problem } = sampleReport();
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  const rows: Row[] = [];
  for (const format of formats) {
    const request = new Request('https://shop.example/cart', { headers: { Accept: format } });
    const contenders = [
      { name: 'packhouse', respond: () => errors.respond(request, 522) },
      { name: 'bare', respond: async () => new Response(JSON.stringify(problem), { status: 522, headers }) },
    ];
    const samples = await interleave(contenders, rounds, ({ respond }) => asyncCallsPerSecond(respond));
    rows.push(rate('response', format, samples));
  }
  return rows;
};
