import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { runGit } from './internal/run-git.ts';
import { parseOptions, usage } from './options.ts';
import { renderManyPushes, renderRuntimes, renderTable, renderUsage } from './report/table.ts';
import { runBench } from './run.ts';

const main = async (): Promise<void> => {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(usage);
    return;
  }
  const started = new Date().toISOString();
  const result = await runBench(options, (line) => console.error(line));
  const machine = {
    processors: cpus().length,
    model: cpus()[0]?.model ?? 'unknown',
    memoryBytes: totalmem(),
    platform: process.platform,
    node: process.version,
    git: await runGit(['--version']),
  };
  const out = options.out ?? join('bench-results', `${started.replaceAll(/[:.]/g, '-')}.json`);
  await mkdir(dirname(out), { recursive: true });
  await writeFile(out, `${JSON.stringify({ started, machine, ...result }, null, 2)}\n`);
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
      ...(result.usage.length > 0 ? [renderUsage(result.usage), ''] : []),
      `Ratios are one server's time or memory over the other's; "less starts" takes the bare starts off git's time.`,
      `Written to ${out}`,
    ].join('\n'),
  );
};

try {
  await main();
} catch (error) {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
