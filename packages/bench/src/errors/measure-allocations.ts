import { render, type MediaType } from '@packhouse/problem-details';
import { acceptHeaders } from './accept-headers.ts';
import { allocatedBytes } from './allocated-bytes.ts';
import { negotiators } from './negotiators.ts';
import { encodedLength, formats, sampleReport } from './sample-report.ts';

/** The heap that renderings of one format use. */
export interface AllocationRow {
  readonly format: MediaType;
  /** The kind of text that grows. */
  readonly text: string;
  /** Bytes of the output for code 522 with its usual texts, and bytes that one rendering allocates. */
  readonly output: number;
  readonly allocated: number;
  /** Bytes allocated per further byte of output, as both texts grow by a number of characters. */
  readonly growth: readonly { readonly characters: number; readonly bytesPerByte: number }[];
}

/** Text that is written unchanged, and text that each format must escape partly. */
const texts = { 'plain text': 'The origin is slow. ', 'text to escape': '"<b>" & \'\\\'; ' };

const measure = (format: MediaType, moreText: string): { readonly output: number; readonly allocated: number } => {
  const report = sampleReport(moreText);
  return {
    output: encodedLength(render(report, format)),
    allocated: allocatedBytes(() => encodedLength(render(report, format))),
  };
};

/**
 * Measures the bytes allocated by each format, and how they grow with its output: by less than one object per
 * character.
 */
export const measureAllocations = (sizes: readonly number[] = [1024, 4096, 16_384]): AllocationRow[] =>
  formats.flatMap((format) => {
    const least = measure(format, '');
    return Object.entries(texts).map(([text, words]) => ({
      format,
      text,
      ...least,
      growth: sizes.map((characters) => {
        const { output, allocated } = measure(format, words.repeat(Math.ceil(characters / words.length)));
        return { characters, bytesPerByte: (allocated - least.allocated) / (output - least.output) };
      }),
    }));
  });

/** The heap that one negotiation uses, by contender. */
export interface NegotiationAllocationRow {
  readonly sender: string;
  readonly bytes: Readonly<Record<string, number>>;
}

/** Measures the bytes that one negotiation of each contender allocates for each header. */
export const measureNegotiationAllocations = (): NegotiationAllocationRow[] =>
  acceptHeaders.map(({ sender, value }) => ({
    sender,
    bytes: Object.fromEntries(negotiators.map(({ name, prepare }) => [name, allocatedBytes(prepare(value))])),
  }));
