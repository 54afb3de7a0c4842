import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { CliError, systemErrorCode, type Io } from '@packhouse/command';
import { baselineFault, type Baseline } from '../baseline/baseline.ts';
import { isRecord, reportFault } from '../report/report-fault.ts';
import type { Report } from '../report/report.ts';

/** Bytes. The evidence of a case has a limit, so that reports of the whole suite stay far below this. */
const sizeMax = 256 * 1024 * 1024;

interface Form {
  /** The word for people. */
  readonly name: string;
  /** The member `format` of the file. */
  readonly format: string;
  /** The command line that writes such a file. */
  readonly made: (program: string, path: string) => string;
  readonly fault: (value: Readonly<Record<string, unknown>>) => string | undefined;
}

const version = 1;

const report: Form = {
  name: 'report',
  format: 'packhouse-conformance-report',
  made: (program, path) => `${program} run URL --report json=${path}`,
  fault: reportFault,
};

const baseline: Form = {
  name: 'baseline',
  format: 'packhouse-conformance-baseline',
  made: (program, path) => `${program} baseline REPORT > ${path}`,
  fault: baselineFault,
};

/** @throws {CliError} kind `usage` if the file is no JSON report of this version. */
export function readReport(io: Pick<Io, 'cwd' | 'program'>, path: string): Report {
  return read(io, path, resolve(io.cwd, path), report) as unknown as Report;
}

/**
 * Reads a baseline. A bare word names one that the suite brings, such as `workerd`.
 *
 * @throws {CliError} kind `usage` if the file is no baseline of this version.
 */
export function readBaseline(io: Pick<Io, 'cwd' | 'program'>, path: string): Baseline {
  const isName = /^[a-z]+$/.test(path);
  const place = isName ? new URL(`../../baselines/${path}.json`, import.meta.url) : resolve(io.cwd, path);
  return read(io, path, place, baseline) as unknown as Baseline;
}

function read(
  { program }: Pick<Io, 'program'>,
  path: string,
  place: string | URL,
  { name, format, made, fault }: Form,
): Readonly<Record<string, unknown>> {
  const wrong = (message: string, hint: string, cause?: unknown): CliError =>
    new CliError('usage', message, hint, { cause });
  const write = `Write one with: ${made(program, path)}`;
  let text: string;
  try {
    if (statSync(place).size > sizeMax) throw wrong(`${path} is too large for a ${name}.`, write);
    text = readFileSync(place, 'utf8');
  } catch (error) {
    if (error instanceof CliError) throw error;
    const code = systemErrorCode(error) ?? 'unknown reason';
    if (code === 'ENOENT') throw wrong(`There is no file ${path}.`, write, error);
    throw wrong(`${path} cannot be read (${code}).`, `Name the file of a ${name}.`, error);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw wrong(`${path} is no ${name}: it is not JSON.`, write, error);
  }
  if (!isRecord(value) || value['format'] !== format) {
    const other = [report, baseline].find((one) => isRecord(value) && value['format'] === one.format);
    throw wrong(`${path} is no ${name}${other === undefined ? '' : `, but a ${other.name}`}.`, write);
  }
  if (value['version'] !== version) {
    const found = typeof value['version'] === 'number' ? `of version ${value['version']}` : 'without a version';
    throw wrong(
      `${path} is a ${name} ${found}, and this release reads version ${version}.`,
      'Read it with the release that wrote it, or write it again with this one.',
    );
  }
  const member = fault(value);
  if (member === undefined) return value;
  throw wrong(`${path} is no whole ${name}: ${member} is missing or has another form.`, write);
}
