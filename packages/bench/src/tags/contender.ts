import type { TagRecord, TagSummary } from '@packhouse/tagging';
import type { MeasuredList } from './lists.ts';
import type { SampleResource } from './sample-resources.ts';

/** One way to query tags. */
export interface TagContender {
  readonly name: string;
  /** Prepares everything that happens once per process. Returns a function that reads one page. */
  page(list: MeasuredList, start: PageStart | undefined): () => Promise<unknown>;
  /** Returns the items of such a page as texts that are equal for all contenders. */
  read(list: MeasuredList, page: unknown): Promise<readonly string[]>;
  get(sample: SampleResource): () => Promise<unknown>;
  /** Returns a function that replaces the tags by new ones at each call. */
  set(sample: SampleResource): () => Promise<unknown>;
}

/** The start of a page other than the first. */
export interface PageStart {
  /** The cursor for the API. */
  readonly cursor: string;
  /** The last item of the page before: identity of a resource, or a text. */
  readonly after: TagRecord['resource'] | string;
}

const tagsText = (tags: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Formats a tagged resource. */
export const resourceText = (
  { type, zone, id }: Pick<TagRecord['resource'], 'type' | 'zone' | 'id'>,
  name: string,
  tags: Readonly<Record<string, string>>,
): string => `${type} ${zone ?? ''} ${id} ${name} ${tagsText(tags)}`;

/** Formats an item of the summary. */
export const summaryText = ({ key, values }: TagSummary): string => JSON.stringify([key, ...values]);
