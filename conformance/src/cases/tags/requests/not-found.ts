import assert from 'node:assert/strict';
import { sample } from '../../../tools/dice.ts';
import { suite, type Case, type Suite } from '../../../core/case.ts';
import type { Context, TagIdentity, TagsOptions } from '../../../core/context.ts';
import { deleteTags, newDnsRecord, newWorker, putTags, readTags } from '../support/one-resource.ts';
import { assertNotFound, assertUntagged, notFoundCode, untaggedMode, type NotFoundMode } from '../support/untagged.ts';

/** Ids with characters that URLs and messages could change. Messages must contain type and id unchanged. */
const oddIds = ['a b/c?d=e&f#g', '100%', 'é環😀', 'type=x id=y', '"<&>\\'];

async function assertMode(
  t: Context,
  mode: NotFoundMode,
  resource: TagIdentity,
  what: string,
  options: TagsOptions = {},
): Promise<void> {
  const reply = await readTags(t, resource, options);
  const zone = options.at === 'zone' ? t.zoneId : undefined;
  assert.equal(assertUntagged(reply, resource, what, zone), mode, `${what}: expected the mode of the setting`);
  if (mode !== 'empty') assert.equal(reply.json.errors[0].code, notFoundCode, `${what}: expected this code`);
}

/** Asserts the replies of the account in a mode (TAG-055 to TAG-057). */
async function assertAccount(t: Context, mode: NotFoundMode): Promise<void> {
  await assertMode(t, mode, newWorker(t), 'a resource without a directory and a record');
  const repository = { resource_type: 'repository', resource_id: `none-${t.name()}` };
  await assertMode(t, mode, repository, 'a repo that there is not');
  await assertMode(t, mode, { resource_type: 'account', resource_id: t.name('other') }, 'another account');
  const version = { resource_type: 'worker_version', resource_id: t.name(), worker_id: t.name('worker') };
  await assertMode(t, mode, version, 'a resource with a parent');
  const { id } = await t.createRepo();
  const repo = { resource_type: 'repository', resource_id: id };
  await assertMode(t, mode, repo, 'a repo without a record');
  await t.setTags(repo, { a: 'b' });
  await deleteTags(t, repo);
  await assertMode(t, mode, repo, 'a repo whose record was removed');
  const reply = await putTags(t, repository, {});
  assertNotFound(reply, 404, repository, 'PUT of a repo that there is not, in every mode');
}

/** Asserts the replies of a zone in a mode (TAG-055, TAG-056, TAG-058, TAG-059). */
async function assertZone(t: Context, mode: NotFoundMode): Promise<void> {
  await assertMode(t, mode, newDnsRecord(t), 'a resource without a directory and a record', { at: 'zone' });
  const own = { resource_type: 'zone', resource_id: t.zoneId };
  await assertMode(t, mode, own, 'a resource that the directory knows, without a record', { at: 'zone' });
  const other = { resource_type: 'zone', resource_id: t.name('other') };
  const unknown = mode === 'empty' ? '404' : mode;
  await assertMode(t, unknown, other, 'a resource that the directory does not know', { at: 'zone' });
  const put = await putTags(t, other, {}, { at: 'zone' });
  assertNotFound(put, 404, other, 'PUT of what the directory does not know, in every mode');
}

const ofMode: readonly (readonly [
  mode: NotFoundMode,
  account: readonly string[],
  zone: readonly string[],
  how: string,
])[] = [
  ['500', ['TAG-055'], ['TAG-055'], '500'],
  ['404', ['TAG-056'], ['TAG-056'], '404'],
  ['empty', ['TAG-057'], ['TAG-058', 'TAG-059'], '200 without tags'],
];

export const tagNotFound: Suite = [
  ...suite(
    {
      id: 'tags/not-found/account',
      requirements: ['TAG-060', 'TAG-061'],
      level: 'MUST',
      readOnly: true,
      explanation:
        'What has no tags is read in one of the three modes: 500, 404 or without tags, with type and id in the message.',
      run: async (t) => {
        const mode = await untaggedMode(t, newWorker(t));
        t.note(`tags_not_found is ${mode}`);
        const long = newWorker(t, 'x'.repeat(900));
        const version = { resource_type: 'worker_version', resource_id: t.name('version'), worker_id: 'none' };
        for (const resource of sample(t, [...oddIds.map((text) => newWorker(t, text)), long, version], 2)) {
          assert.equal(await untaggedMode(t, resource), mode, 'expected one mode for all');
        }
      },
    },
    {
      id: 'tags/not-found/zone',
      requirements: ['TAG-060', 'TAG-061'],
      level: 'MUST',
      readOnly: true,
      needs: ['zone id'],
      explanation: 'A zone has the mode of the account.',
      run: async (t) => {
        const mode = await untaggedMode(t, newWorker(t));
        const record = newDnsRecord(t);
        const reply = await readTags(t, record, { at: 'zone' });
        const found = assertUntagged(reply, record, 'GET of a resource of a zone', t.zoneId);
        // In mode `empty`, a zone answers 404 only if a directory does not know the resource (TAG-059).
        if (mode !== 'empty' || found !== '404') assert.equal(found, mode, 'expected one mode for both levels');
        t.note(`tags_not_found is ${mode}`);
      },
    },
    {
      id: 'tags/not-found/code',
      requirements: ['TAG-168'],
      level: 'MUST',
      beyond: true,
      readOnly: true,
      explanation: 'What is not found has the code 10200.',
      run: async (t) => {
        const reply = await readTags(t, newWorker(t));
        if (reply.status === 200) t.note('tags_not_found is empty');
        else assert.equal(reply.json?.errors?.[0]?.code, notFoundCode, 'expected this code');
      },
    },
  ),
  ...ofMode.flatMap(([mode, account, zone, how]): readonly Case[] => [
    {
      id: `tags/not-found/account-${mode}`,
      requirements: [...account, 'TAG-054', 'TAG-060', 'TAG-062', 'TAG-168'],
      level: 'MUST',
      needs: ['settings'],
      settings: { tags_not_found: mode },
      explanation: `With tags_not_found ${mode}, what an account does not know or has no record of is ${how}.`,
      run: async (t) => await assertAccount(t, mode),
    },
    {
      id: `tags/not-found/zone-${mode}`,
      requirements: [...zone, 'TAG-054', 'TAG-060', 'TAG-168'],
      level: 'MUST',
      needs: ['settings', 'zone id'],
      settings: { tags_not_found: mode },
      explanation: `With tags_not_found ${mode}, what has no record in a zone is ${how}${mode === 'empty' ? ', what the zone does not know 404' : ''}.`,
      run: async (t) => await assertZone(t, mode),
    },
  ]),
];
