import type { ResourceIdentity, TagRecord, TagStore, TagSummary } from '@packhouse/tagging';
import type { OfAccount } from './of-account.ts';
import type { SentChange, SentPart, SentRecord, SetAnswer } from './sent-tags.ts';

/** The calls about tags: one a method of the port, each with what could pass the bound of a message made ready for it. */
export interface TagCalls {
  tagRecord(account: string, resource: ResourceIdentity): Promise<SentRecord>;
  setTags(account: string, change: SentChange): Promise<SetAnswer>;
  readonly removeTags: OfAccount<TagStore['remove']>;
  readonly renameTagged: OfAccount<TagStore['rename']>;
  taggedResources(account: string, ...given: Parameters<TagStore['resources']>): Promise<SentPart<TagRecord>>;
  readonly tagKeys: OfAccount<TagStore['keys']>;
  readonly tagValues: OfAccount<TagStore['values']>;
  tagSummary(account: string, ...given: Parameters<TagStore['summary']>): Promise<SentPart<TagSummary>>;
  readonly keepTagPlace: OfAccount<TagStore['keepPlace']>;
  readonly keptTagPlace: OfAccount<TagStore['keptPlace']>;
}
