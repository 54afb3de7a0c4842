import type { TagRecord, TagSummary } from '@packhouse/tagging';
import type { MeasuredList } from './lists.ts';
import type { SampleResource } from './sample-resources.ts';

/** One way to ask for tags. */
export interface TagContender {
  readonly name: string;
  /** Makes what gives one page, with what stands only once in a process done before. */
  page(list: MeasuredList, start: PageStart | undefined): () => Promise<unknown>;
  /** What such a page holds, as text that is the same for all contenders, an item each. */
  read(list: MeasuredList, page: unknown): Promise<readonly string[]>;
  get(sample: SampleResource): () => Promise<unknown>;
  /** Replaces tags by others, which are new each time. */
  set(sample: SampleResource): () => Promise<unknown>;
}

/** Where a page that is not the first begins. */
export interface PageStart {
  /** For the API. */
  readonly cursor: string;
  /** The last item of the page before: identity of a resource, or a text. */
  readonly after: TagRecord['resource'] | string;
}

const tagsText = (tags: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));

/** A tagged resource as text. */
export const resourceText = (
  { type, zone, id }: Pick<TagRecord['resource'], 'type' | 'zone' | 'id'>,
  name: string,
  tags: Readonly<Record<string, string>>,
): string => `${type} ${zone ?? ''} ${id} ${name} ${tagsText(tags)}`;

/** An item of the summary as text. */
export const summaryText = ({ key, values }: TagSummary): string => JSON.stringify([key, ...values]);
