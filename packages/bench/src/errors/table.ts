import { ratio, type Row } from '../report/row.ts';
import { alignColumns, ratioCell, samplesCell } from '../report/table.ts';
import type { AllocationRow, NegotiationAllocationRow } from './measure-allocations.ts';

/** Formats the rates of the contenders, and the time of the first in proportion to each other's. */
export const renderRates = (heading: string, rows: readonly Row[]): string => {
  const [ours = '', ...others] = Object.keys(rows[0]?.samples ?? {});
  return alignColumns([
    [heading, 'unit', ours, ...others, ...others.map((name) => `ratio to ${name}`)],
    ...rows.map((row) => [
      row.title,
      row.unit,
      ...[ours, ...others].map((name) => samplesCell(row.samples[name])),
      ...others.map((name) => ratioCell(ratio(row, ours, name))),
    ]),
  ]);
};

/** Formats the heap use of renderings. */
export const renderAllocations = (rows: readonly AllocationRow[]): string =>
  alignColumns([
    [
      'bytes allocated by a rendering',
      'output',
      'allocated',
      'texts',
      ...(rows[0]?.growth ?? []).map(({ characters }) => `a byte, to ${characters}`),
    ],
    ...rows.map(({ format, output, allocated, text, growth }) => [
      format,
      String(output),
      allocated.toFixed(0),
      text,
      ...growth.map(({ bytesPerByte }) => bytesPerByte.toFixed(2)),
    ]),
  ]);

/** Formats the heap use of negotiations. */
export const renderNegotiationAllocations = (rows: readonly NegotiationAllocationRow[]): string =>
  alignColumns([
    ['bytes allocated by a negotiation', ...Object.keys(rows[0]?.bytes ?? {})],
    ...rows.map(({ sender, bytes }) => [sender, ...Object.values(bytes).map((count) => count.toFixed(0))]),
  ]);
