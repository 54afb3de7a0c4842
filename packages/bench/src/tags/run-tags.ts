import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { time } from '../measures/rounds.ts';
import type { Row } from '../report/row.ts';
import { openTagDatabase } from './database.ts';
import { handContender } from './hand-contender.ts';
import { httpContender } from './http-contender.ts';
import { measuredLists } from './lists.ts';
import { farPage, measureGet, measurePage, measureSet } from './measure-tags.ts';
import type { TagsOptions } from './options.ts';
import { findPage } from './page-start.ts';
import { account, sampleResource } from './sample-resources.ts';
import { storeContender } from './store-contender.ts';

/** Numbers of one run about tags. */
export interface TagsResult {
  readonly resources: number;
  readonly rounds: number;
  /** Seconds to put all resources into the store. */
  readonly fillSeconds: number;
  /** The contenders. The first is the hand-written one. */
  readonly contenders: readonly string[];
  readonly rows: readonly Row[];
  readonly far: readonly FarPage[];
}

/** The time of a far page divided by that of the first page of its list, by contender. */
export interface FarPage {
  readonly title: string;
  readonly first: Row;
  readonly far: Row;
}

/** Fills a database and runs all measures of tags. `progress` gets a line for each step. */
export const runTags = async (
  { resources, rounds }: TagsOptions,
  progress: (line: string) => void,
): Promise<TagsResult> => {
  const folder = await mkdtemp(join(tmpdir(), 'packhouse-bench-tags-'));
  const database = openTagDatabase(join(folder, 'tags.sqlite'));
  try {
    progress(`setting the tags of ${resources} resources`);
    const fillSeconds = (await time(() => database.fill(resources))) / 1000;
    const hand = handContender(database.file);
    try {
      const http = httpContender(database.stores);
      const contenders = [hand, storeContender(database.stores(account)), http];
      const rows: Row[] = [];
      const far: FarPage[] = [];
      for (const list of measuredLists) {
        progress(`measuring ${list.title}`);
        const first = await measurePage(contenders, list, 1, undefined, rounds);
        rows.push(first);
        const start = await findPage(http, list, farPage);
        if (start === undefined) continue;
        const farther = await measurePage(contenders, list, farPage, start, rounds);
        rows.push(farther);
        far.push({ title: list.title, first, far: farther });
      }
      progress('measuring single reads and writes');
      const sample = sampleResource(Math.floor(resources / 2));
      rows.push(await measureGet(contenders, sample, rounds), await measureSet(contenders, sample, rounds));
      return { resources, rounds, fillSeconds, contenders: contenders.map(({ name }) => name), rows, far };
    } finally {
      hand.close();
    }
  } finally {
    database.close();
    await rm(folder, { recursive: true, force: true });
  }
};
