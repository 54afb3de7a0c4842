/**
 * REPO-190 to REPO-201 of docs/specification/repositories.md: the events that the sink of a deployment receives, and
 * when.
 */

import assert from 'node:assert/strict';
import { suite, type Suite } from '../../core/case.ts';
import type { Context, TestRepo } from '../../core/context.ts';
import { pathOf } from '../../steps/content.ts';
import { EventLog, repoPayload, tokenPayloads, type ExpectedEvent, type TokenPayload } from '../../steps/events.ts';
import { forkOf } from '../../steps/forked.ts';
import { expectNoImport, failures as importFailures, imported, servedHistory } from '../../steps/imports.ts';
import { change, noObject, pack } from '../../tools/made-objects.ts';
import { accepted } from '../../steps/repo-with.ts';
import { same } from '../../tools/same.ts';
import { commandBody, discover, fetchBody, packOf, post, push, remove, set } from '../../tools/wire-client.ts';
import { assertFailure, assertSuccess, repoExists } from '../../steps/replies.ts';

/** Creates a repo, and waits for its first two events. Returns also the id of its token. */
async function begun(t: Context, log: EventLog): Promise<{ repo: TestRepo; token: string }> {
  const repo = await t.createRepo({ body: { description: 'told of' } });
  const [token] = (await tokenPayloads(t, repo)) as [TokenPayload];
  await log.expect(
    'a new repo',
    { name: 'created', repo, payload: await repoPayload(t, repo) },
    { name: 'token.created', repo, payload: token },
  );
  return { repo, token: token.tokenId };
}

/** Returns the event of a push that brings no commits to a branch. */
function changed(
  repo: TestRepo,
  tokenId: string | undefined,
  ref: string,
  before: string,
  after: string,
): ExpectedEvent {
  const commits = { commits: [], totalCommitsCount: 0, commitsTruncated: false };
  return {
    name: 'pushed',
    repo,
    ...(tokenId !== undefined && { tokenId }),
    payload: { ref, before, after, ...commits },
  };
}

export const events: Suite = suite(
  {
    id: 'rest/events/one-repo',
    requirements: [
      'GIT-125',
      'GIT-153',
      'REPO-018',
      'REPO-019',
      'REPO-190',
      'REPO-191',
      'REPO-192',
      'REPO-193',
      'REPO-194',
      'REPO-197',
      'REPO-199',
      'REPO-200',
    ],
    level: 'MUST',
    beyond: true,
    needs: ['event sink'],
    explanation:
      'Each change of a repo and each clone and fetch is told in its order, signed, with all members; nothing else is.',
    async run(t) {
      const log = new EventLog(t);
      const { repo, token } = await begun(t, log);
      const [one, two] = [change('one'), change('two')];
      const [main, tagged] = ['refs/heads/main', 'refs/tags/v1'];

      await accepted(repo, [set(tagged, one)], pack(...one.all));
      await log.expect('a tag', changed(repo, token, tagged, noObject, one.oid));
      await accepted(repo, [set(tagged, two, one), set('refs/notes/x', one)], pack(...two.all));
      await log.expect(
        'two refs of one push',
        changed(repo, token, tagged, one.oid, two.oid),
        changed(repo, token, 'refs/notes/x', noObject, one.oid),
      );
      // No event for no-ops, refused requests and reads.
      await push(repo, [set(tagged, two, two)], pack());
      await push(repo, [set(main, one, two)], pack(...one.all));
      await discover(repo);
      await post(repo, commandBody('ls-refs'));
      await post(repo, commandBody('object-info', ['size', `oid ${one.oid}`]));
      await post(repo, commandBody('fetch', [`want ${two.oid}`, `have ${'7'.repeat(40)}`]));

      packOf((await post(repo, fetchBody([two.oid], []))).body);
      await log.expect('a clone', { name: 'cloned', repo, payload: {}, tokenId: token });
      packOf((await post(repo, fetchBody([two.oid], [one.oid]))).body);
      await log.expect('a fetch', { name: 'fetched', repo, payload: {}, tokenId: token });

      await t.mintToken(repo, { scope: 'read' });
      const minted = (await tokenPayloads(t, repo)).find(({ tokenId }) => tokenId !== token) as TokenPayload;
      await log.expect('a token', { name: 'token.created', repo, payload: minted });
      const path = `/namespaces/${repo.namespace}/tokens/${minted.tokenId}`;
      for (let times = 0; times < 2; times++) await t.rest('DELETE', path);
      await log.expect('a token less', { name: 'token.revoked', repo, payload: { tokenId: minted.tokenId } });

      await accepted(repo, [remove(tagged, two)]);
      await log.expect('a tag less', changed(repo, token, tagged, two.oid, noObject));
      const payload = await repoPayload(t, repo);
      for (let times = 0; times < 2; times++) await t.rest('DELETE', pathOf(repo));
      await log.expect('a deletion', { name: 'deleted', repo, payload });
      // The next events follow, so there were no others in between.
      await begun(t, log);
    },
  },
  {
    id: 'rest/events/without-git',
    requirements: ['REPO-245', 'REPO-255', 'REPO-257', 'REPO-286', 'REPO-199'],
    level: 'MUST',
    beyond: true,
    needs: ['event sink'],
    explanation:
      'Changes of refs, commits and merges over REST have the events of a push, without a token; a blob has none.',
    async run(t) {
      const log = new EventLog(t);
      const { repo, token } = await begun(t, log);
      const one = change('one');
      const [first, second] = ['refs/tags/v1', 'refs/tags/v2'];
      await accepted(repo, [set(first, one)], pack(...one.all));
      await log.expect('a push', changed(repo, token, first, noObject, one.oid));
      const sent = async (method: string, path: string, options: object, status: number): Promise<{ commit: string }> =>
        assertSuccess(await t.rest(method, pathOf(repo) + path, options), status, `${method} ${path}`);
      await sent('PUT', `/${first}`, { body: { new: one.oid } }, 200);
      const octets = { 'content-type': 'application/octet-stream' };
      await sent('POST', '/blobs', { body: new Uint8Array(1), headers: octets }, 201);
      await sent('PUT', `/${second}`, { body: { new: one.oid } }, 200);
      await log.expect('a new tag', changed(repo, undefined, second, noObject, one.oid));

      const author = { name: 'Ada', email: 'ada@example.com' };
      const change1 = { branch: 'main', from: 'v1', message: 'more', author, allow_empty: true };
      const { commit } = await sent('POST', '/commits', { body: change1 }, 201);
      const forward = { into: 'next', from: 'main', strategy: 'ff-only' };
      await sent('PUT', '/refs/heads/next', { body: { new: one.oid } }, 200);
      await sent('POST', '/merges', { body: forward }, 201);
      const told = (await log.next(3, 'a commit, a branch and a merge')).map(
        ({ event: { type, payload, metadata } }) => [
          type,
          payload.ref,
          payload.before,
          payload.after,
          payload.commits.map(({ id }: { id: string }) => id),
          metadata.tokenId,
        ],
      );
      const type = `${t.dialect.events.prefix}pushed`;
      same(
        told,
        [
          [type, 'refs/heads/main', noObject, commit, [commit, one.oid], undefined],
          [type, 'refs/heads/next', noObject, one.oid, [one.oid], undefined],
          [type, 'refs/heads/next', one.oid, commit, [commit], undefined],
        ],
        'The events of all three.',
      );
    },
  },
  {
    id: 'rest/events/forks',
    requirements: ['REPO-190', 'REPO-192', 'REPO-193'],
    level: 'MUST',
    beyond: true,
    needs: ['event sink'],
    explanation: 'A fork is told of by an event about its parent, with the members of the fork; it causes no other.',
    async run(t) {
      const log = new EventLog(t);
      const { repo: parent, token } = await begun(t, log);
      const one = change('one');
      await accepted(parent, [set('refs/tags/v1', one)], pack(...one.all));
      await log.expect('a push', changed(parent, token, 'refs/tags/v1', noObject, one.oid));
      const taken = { name: parent.name.toUpperCase() };
      assertFailure(
        t,
        await t.rest('POST', `${pathOf(parent)}/fork`, { body: taken }),
        repoExists(taken.name),
        'a fork',
      );
      const fork = await forkOf(t, parent, { default_branch_only: false, read_only: true });
      const [first] = (await tokenPayloads(t, fork)) as [TokenPayload];
      const names = { namespace: fork.namespace, repoName: fork.name };
      await log.expect(
        'a fork',
        { name: 'forked', repo: parent, payload: { ...(await repoPayload(t, fork)), ...names } },
        { name: 'token.created', repo: fork, payload: first },
      );
      await t.rest('DELETE', pathOf(parent));
      await log.next(1, 'the end of the parent');
      await begun(t, log);
    },
  },
  {
    id: 'rest/events/imports',
    requirements: ['REPO-190', 'REPO-192', 'REPO-193'],
    level: 'MUST',
    beyond: true,
    needs: ['event sink', 'import remote', 'git'],
    explanation: 'An import that succeeds is told of once, with its source and branch; one that fails is not.',
    async run(t) {
      const log = new EventLog(t);
      const one = change('one');
      const objects = new Map(one.all.map((object) => [object.oid, object]));
      const name = await servedHistory(t, { refs: new Map([['refs/heads/main', one]]), objects });
      const url = `${t.importRemote.origin}/${name}`;
      await expectNoImport(t, { url: `${url}-not` }, importFailures.notFound, 'what is not there');
      for (const branch of [undefined, 'main']) {
        const repo = await imported(t, { url, ...(branch === undefined ? {} : { branch }) });
        const [first] = (await tokenPayloads(t, repo)) as [TokenPayload];
        const { source } = assertSuccess(await t.rest('GET', pathOf(repo)), 200, 'GET of the import');
        const more = { sourceUrl: String(source).replace(/^git:/, ''), branch: branch ?? null };
        await log.expect(
          'an import',
          { name: 'imported', repo, payload: { ...(await repoPayload(t, repo)), ...more } },
          { name: 'token.created', repo, payload: first },
        );
      }
      await begun(t, log);
    },
  },
  {
    id: 'rest/events/not-taken',
    requirements: ['REPO-190', 'REPO-198', 'REPO-200', 'REPO-201'],
    level: 'MUST',
    beyond: true,
    needs: ['event sink'],
    explanation:
      'What the sink does not take comes again with the same id and body, and before what happened later; changes do not wait.',
    async run(t) {
      const log = new EventLog(t);
      const { repo, token } = await begun(t, log);
      let refusals = 0;
      t.eventSink.answer(t.namespace, () => (refusals++ === 0 ? 500 : 200));
      const all = Array.from({ length: 5 }, (_, i) => change(`change ${i}`));
      for (const [i, one] of all.entries()) await accepted(repo, [set(`refs/tags/v${i}`, one)], pack(...one.all));
      await log.expect(
        'five pushes',
        ...all.map(({ oid }, i) => changed(repo, token, `refs/tags/v${i}`, noObject, oid)),
      );
      const deliveries = t.eventSink.deliveries(t.namespace);
      const refused = deliveries.findIndex(({ status }) => status === 500);
      const [first, again] = deliveries.slice(refused);
      same(again?.text, first?.text, 'What was refused comes again, before any other.');
      same(again?.headers['webhook-id'], first?.headers['webhook-id'], 'It has the same id.');
      const ids = new Set(deliveries.map(({ headers }) => headers['webhook-id']));
      same(ids.size, 7, 'Other events have other ids.');
    },
  },
  {
    id: 'rest/events/accounts',
    requirements: ['REPO-191'],
    level: 'MUST',
    beyond: true,
    needs: ['event sink', 'other account'],
    explanation: 'An event names its account, and the subscription of that account.',
    async run(t) {
      const log = new EventLog(t);
      const { repo } = await begun(t, log);
      const { account, apiToken } = t.other;
      const base = t.base.replace(`/accounts/${t.account}/`, `/accounts/${account}/`);
      const namespace = t.name('theirs');
      const theirs = { token: apiToken, base };
      const created = await t.rest('POST', `/namespaces/${namespace}/repos`, { body: { name: repo.name }, ...theirs });
      assertSuccess(created, 201, 'POST of a repo of another account');
      const others = await new EventLog(t, { namespace, account }).next(2, 'a repo of another account');
      const subscription = (one: (typeof others)[number] | undefined): unknown =>
        one?.event.metadata.eventSubscriptionId;
      same(
        others.map(({ event }) => event.metadata.accountId),
        [account, account],
        'The account of its events.',
      );
      same(subscription(others[0]), subscription(others[1]), 'One account has one subscription.');
      const own = t.eventSink.deliveries(t.namespace);
      assert.notEqual(subscription(own[0]), subscription(others[0]), 'Another account has another subscription.');
    },
  },
);
