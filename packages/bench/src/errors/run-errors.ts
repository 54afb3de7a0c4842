import type { Row } from '../report/row.ts';
import {
  measureAllocations,
  measureNegotiationAllocations,
  type AllocationRow,
  type NegotiationAllocationRow,
} from './measure-allocations.ts';
import { measureNegotiations, measureRenderings, measureResponses } from './measure-speed.ts';
import type { ErrorsOptions } from './options.ts';

/** Numbers of one run about error responses. */
export interface ErrorsResult {
  readonly rounds: number;
  readonly negotiations: readonly Row[];
  readonly renderings: readonly Row[];
  readonly responses: readonly Row[];
  readonly negotiationAllocations: readonly NegotiationAllocationRow[];
  readonly allocations: readonly AllocationRow[];
}

/** Runs all measures of error responses. `progress` gets a line for each step. */
export const runErrors = async ({ rounds }: ErrorsOptions, progress: (line: string) => void): Promise<ErrorsResult> => {
  progress('measuring negotiations');
  const negotiations = await measureNegotiations(rounds);
  progress('measuring renderings');
  const renderings = await measureRenderings(rounds);
  progress('measuring responses');
  const responses = await measureResponses(rounds);
  progress('measuring allocations');
  const negotiationAllocations = measureNegotiationAllocations();
  const allocations = measureAllocations();
  return { rounds, negotiations, renderings, responses, negotiationAllocations, allocations };
};
