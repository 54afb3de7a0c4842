import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCounts } from './counts/run-counts.ts';
import { errorsUsage, parseErrorsOptions } from './errors/options.ts';
import { runErrors } from './errors/run-errors.ts';
import { renderAllocations, renderNegotiationAllocations, renderRates } from './errors/table.ts';
import { forksUsage, parseForksOptions } from './forks/options.ts';
import { runForks } from './forks/run-forks.ts';
import { renderForks } from './forks/table.ts';
import { largeUsage, parseLargeOptions } from './large/options.ts';
import { runLarge } from './large/run-large.ts';
import { renderLarge } from './large/table.ts';
import { parseMocksOptions, mocksUsage } from './mocks/options.ts';
import { runMocks } from './mocks/run-mocks.ts';
import { renderMocks } from './mocks/table.ts';
import { parseOptions, usage } from './options.ts';
import { plotFiles } from './report/plot.ts';
import { renderManyPushes, renderRuntimes, renderShares, renderTable, renderUsage } from './report/table.ts';
import { thisMachine, writeResult } from './report/write-result.ts';
import { parseRestOptions, restUsage } from './rest/options.ts';
import { runRest } from './rest/run-rest.ts';
import { runBench } from './run.ts';
import { parseSharedOptions, sharedUsage } from './shared/options.ts';
import { runShared } from './shared/run-shared.ts';
import { plotRepositories, plotServers, renderCosts, renderRepositories, renderServers } from './shared/table.ts';
import { farPage } from './tags/measure-tags.ts';
import { parseTagsOptions, tagsUsage } from './tags/options.ts';
import { runTags } from './tags/run-tags.ts';
import { renderFarPages } from './tags/table.ts';

const progress = (line: string): void => console.error(line);

const benchCounts = async (args: readonly string[]): Promise<void> => {
  const { text, isSame } = await runCounts(args);
  process.stdout.write(text);
  if (!isSame) process.exitCode = 1;
};

const benchErrors = async (args: readonly string[]): Promise<void> => {
  const options = parseErrorsOptions(args);
  if (options.help) {
    process.stdout.write(errorsUsage);
    return;
  }
  const started = new Date();
  const result = await runErrors(options, progress);
  const machine = await thisMachine();
  const out = await writeResult(options.out, started, machine, result);
  console.log(
    [
      `error responses; ${result.rounds} rounds, medians (least-greatest)`,
      `${machine.processors} processors, Node ${machine.node}`,
      '',
      renderRates('negotiation', result.negotiations),
      '',
      renderNegotiationAllocations(result.negotiationAllocations),
      '',
      renderRates('rendering', result.renderings),
      '',
      renderAllocations(result.allocations),
      '',
      renderRates('response', result.responses),
      '',
      `Ratios are one's time over the other's; "bare" is JSON.stringify of the same error, and a Response of that.`,
      `"a byte, to N" is what each further byte of output allocates as the texts grow by N characters.`,
      `Written to ${out}`,
    ].join('\n'),
  );
};

const benchTags = async (args: readonly string[]): Promise<void> => {
  const options = parseTagsOptions(args);
  if (options.help) {
    process.stdout.write(tagsUsage);
    return;
  }
  const started = new Date();
  const result = await runTags(options, progress);
  const machine = await thisMachine();
  const out = await writeResult(options.out, started, machine, result);
  console.log(
    [
      `tags: ${result.resources} resources with 10 tags each, set in ${result.fillSeconds.toFixed(0)} s; ` +
        `${result.rounds} rounds, medians (least-greatest)`,
      `${machine.processors} processors, Node ${machine.node}`,
      '',
      renderRuntimes(result.rows, { runtimes: result.contenders, others: [] }),
      '',
      ...(result.far.length > 0 ? [renderFarPages(result.far, farPage), ''] : []),
      `"by hand" is node:sqlite with a query for this one list and file. Ratios are one's time over the other's: of the`,
      `processor, but for sets, which wait for the disk.`,
      `Written to ${out}`,
    ].join('\n'),
  );
};

const benchForks = async (args: readonly string[]): Promise<void> => {
  const options = parseForksOptions(args);
  if (options.help) {
    process.stdout.write(forksUsage);
    return;
  }
  const started = new Date();
  const result = await runForks(options, progress);
  const machine = await thisMachine();
  const out = await writeResult(options.out, started, machine, result);
  console.log(
    [
      `forks; ${result.rounds} rounds, medians (least-greatest)`,
      `${machine.processors} processors, Node ${machine.node}, ${machine.git}`,
      '',
      renderForks(result),
      '',
      `"to least" is what a copy takes of the time of the smallest one. git is started anew for each clone.`,
      `Written to ${out}`,
    ].join('\n'),
  );
};

const benchLarge = async (args: readonly string[]): Promise<void> => {
  const options = parseLargeOptions(args);
  if (options.help) {
    process.stdout.write(largeUsage);
    return;
  }
  const rows = await runLarge(options, progress);
  console.log(
    `${renderLarge(rows)}\n\nMemory is the peak of the process until then, of memory_max ${options.memory} MiB.`,
  );
};

const benchMocks = async (args: readonly string[]): Promise<void> => {
  const options = parseMocksOptions(args);
  if (options.help) {
    process.stdout.write(mocksUsage);
    return;
  }
  const started = new Date();
  const result = await runMocks(options, progress);
  const machine = await thisMachine();
  const out = await writeResult(options.out, started, machine, result);
  console.log(
    [
      `mocks; ${result.rounds} rounds, medians (least-greatest)`,
      `${machine.processors} processors, Node ${machine.node}`,
      '',
      renderMocks(result),
      '',
      `Ratios are one's time over the other's; of requests and codecs it is the processor's.`,
      `Written to ${out}`,
    ].join('\n'),
  );
};

const benchRest = async (args: readonly string[]): Promise<void> => {
  const options = parseRestOptions(args);
  if (options.help) {
    process.stdout.write(restUsage);
    return;
  }
  const started = new Date();
  const result = await runRest(options, progress);
  const machine = await thisMachine();
  const out = await writeResult(options.out, started, machine, result);
  console.log(
    [
      `work without Git; ${result.rounds} rounds, medians (least-greatest)`,
      `${machine.processors} processors, Node ${machine.node}, ${machine.git}; a bare start of git takes ` +
        `${result.gitStartMs.toFixed(1)} ms`,
      '',
      renderTable(result.rows, { runtimes: ['node'], others: ['git'] }, result.gitStartMs),
      '',
      `Commits of git are clone, commit and push; its other work is on the bare repository itself.`,
      `Written to ${out}`,
    ].join('\n'),
  );
};

const benchShared = async (args: readonly string[]): Promise<void> => {
  const options = parseSharedOptions(args);
  if (options.help) {
    process.stdout.write(sharedUsage);
    return;
  }
  const started = new Date();
  const result = await runShared(options, progress);
  const machine = await thisMachine();
  const out = await writeResult(options.out, started, machine, result);
  const { counts, latencies, contenders, servers, repositories } = result;
  if (options.plots !== undefined) {
    await mkdir(options.plots, { recursive: true });
    if (servers.length > 0) await writeFile(join(options.plots, 'servers.svg'), plotServers(servers));
    if (repositories.length > 0)
      await writeFile(join(options.plots, 'repositories.svg'), plotRepositories(repositories));
  }
  console.log(
    [
      `servers that share a storage; ${result.rounds} rounds, medians (least-greatest)`,
      `${machine.processors} processors, Node ${machine.node}`,
      ...(counts.length > 0 ? ['', renderCosts(counts)] : []),
      ...(latencies.length > 0 ? ['', renderRuntimes(latencies, { runtimes: contenders, others: [] })] : []),
      ...(servers.length > 0 ? ['', renderServers(servers)] : []),
      ...(repositories.length > 0 ? ['', renderRepositories(repositories)] : []),
      '',
      `"node" has a data folder; the others are named by the distance to their database.`,
      `Written to ${out}`,
    ].join('\n'),
  );
};

const benchGit = async (args: readonly string[]): Promise<void> => {
  const options = parseOptions(args);
  if (options.help) {
    process.stdout.write(usage);
    return;
  }
  const started = new Date();
  const result = await runBench(options, progress);
  const machine = await thisMachine();
  const out = await writeResult(options.out, started, machine, result);
  console.log(
    [
      `${result.repo}: ${result.objects} objects, ${result.commits} commits, ${result.refs} refs; ${result.rounds} rounds, ` +
        `medians (least-greatest)`,
      `${machine.processors} processors, Node ${machine.node}, ${machine.git}; a bare start of git takes ` +
        `${result.gitStartMs.toFixed(1)} ms`,
      '',
      ...(result.rows.length > 0 && result.others.length > 0
        ? [renderTable(result.rows, result, result.gitStartMs), '']
        : []),
      ...(result.rows.length > 0 && (result.runtimes.length > 1 || result.others.length === 0)
        ? [renderRuntimes(result.rows, result), '']
        : []),
      ...(result.manyPushes.length > 0 ? [renderManyPushes(result.manyPushes), ''] : []),
      ...(result.shares.length > 0 ? [renderShares(result.shares), ''] : []),
      ...(result.usage.length > 0 ? [renderUsage(result.usage), ''] : []),
      `Ratios are one server's time or memory over the other's; "less starts" takes the bare starts off git's time.`,
      `Written to ${out}`,
    ].join('\n'),
  );
};

try {
  const [subject, ...args] = process.argv.slice(2);
  if (subject === 'plot') process.stdout.write(await plotFiles(args));
  else if (subject === 'counts') await benchCounts(args);
  else if (subject === 'errors') await benchErrors(args);
  else if (subject === 'tags') await benchTags(args);
  else if (subject === 'forks') await benchForks(args);
  else if (subject === 'mocks') await benchMocks(args);
  else if (subject === 'large') await benchLarge(args);
  else if (subject === 'shared') await benchShared(args);
  else if (subject === 'rest') await benchRest(args);
  else await benchGit(process.argv.slice(2));
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
