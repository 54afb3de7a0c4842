import type { CustomErrors } from '../custom/custom-errors.ts';
import type { ErrorDialect } from '../dialect/dialect.ts';

/** Checks custom errors for responses of a dialect. Returns the end of a sentence about them, or undefined. */
export const customErrorsFault = (value: unknown, { boxTokens }: ErrorDialect): string | undefined => {
  if (!isCustomErrors(value)) return 'must be what the function customErrors gives';
  const { below1000, from1000 } = value.boxTokens;
  return below1000 === boxTokens.below1000 && from1000 === boxTokens.from1000
    ? undefined
    : 'must be made for the dialect of the responses, which names the box tokens';
};

/** Tests by members, since the value may come from another copy of this package. */
const isCustomErrors = (value: unknown): value is CustomErrors =>
  typeof value === 'object' && value !== null && 'boxTokens' in value && 'match' in value && 'pageFor' in value;
