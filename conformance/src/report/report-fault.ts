import { statuses } from './report.ts';

type Members = Readonly<Record<string, unknown>>;

/** Returns the member of a report in JSON that is missing or has another form; undefined if the report is whole. */
export function reportFault(report: Members): string | undefined {
  const { target, seed, prefix, interrupted, cases, run } = report;
  if (!isRecord(target)) return 'target';
  for (const name of ['name', 'origin', 'dialect', 'account'] as const)
    if (typeof target[name] !== 'string') return `target.${name}`;
  if (!Number.isInteger(seed)) return 'seed';
  if (typeof prefix !== 'string') return 'prefix';
  if (typeof interrupted !== 'boolean') return 'interrupted';
  if (!Array.isArray(cases)) return 'cases';
  const fault = cases.findIndex((one) => !isCase(one));
  if (fault !== -1) return `cases[${fault}]`;
  return run === undefined || (isRecord(run) && isRun(run)) ? undefined : 'run';
}

function isCase(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { id, status, requirements, explanation, reason, failure } = value;
  return (
    typeof id === 'string' &&
    (statuses as readonly unknown[]).includes(status) &&
    isTexts(requirements) &&
    typeof explanation === 'string' &&
    (reason === null || typeof reason === 'string') &&
    (failure === null || (isRecord(failure) && typeof failure['message'] === 'string'))
  );
}

function isRun({ url, options }: Members): boolean {
  const isValue = (value: unknown): boolean => value === true || typeof value === 'string' || isTexts(value);
  return (url === null || typeof url === 'string') && isRecord(options) && Object.values(options).every(isValue);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** Tests if a value of JSON is an object. */
export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
