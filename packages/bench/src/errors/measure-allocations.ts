import { render, type MediaType } from '@packhouse/problem-details';
import { acceptHeaders } from './accept-headers.ts';
import { allocatedBytes } from './allocated-bytes.ts';
import { negotiators } from './negotiators.ts';
import { encodedLength, formats, sampleReport } from './sample-report.ts';

/** What renderings of one format take of the heap. */
export interface AllocationRow {
  readonly format: MediaType;
  /** What the texts that grow are made of. */
  readonly text: string;
  /** Bytes of the output of the code 522 as it is, and bytes that one rendering allocates. */
  readonly output: number;
  readonly allocated: number;
  /** Bytes that are allocated for each further byte of output, as both texts grow by a number of characters. */
  readonly growth: readonly { readonly characters: number; readonly bytesPerByte: number }[];
}

/** Text that is written as it is, and text of which each format must escape something. */
const texts = { 'plain text': 'The origin is slow. ', 'text to escape': '"<b>" & \'\\\'; ' };

const measure = (format: MediaType, moreText: string): { readonly output: number; readonly allocated: number } => {
  const report = sampleReport(moreText);
  return {
    output: encodedLength(render(report, format)),
    allocated: allocatedBytes(() => encodedLength(render(report, format))),
  };
};

/** Bytes allocated by each format, and how they grow with its output: by less than one object for each character. */
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

/** Bytes of the heap that one negotiation takes, by contender. */
export interface NegotiationAllocationRow {
  readonly sender: string;
  readonly bytes: Readonly<Record<string, number>>;
}

/** Bytes allocated by one negotiation of each contender for each header. */
export const measureNegotiationAllocations = (): NegotiationAllocationRow[] =>
  acceptHeaders.map(({ sender, value }) => ({
    sender,
    bytes: Object.fromEntries(negotiators.map(({ name, prepare }) => [name, allocatedBytes(prepare(value))])),
  }));
