import { fc, it as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { renderJson } from '../../src/render/json.ts';
import { anyReport, reportOf } from './report.ts';

const members = [
  'type',
  'title',
  'status',
  'detail',
  'instance',
  'error_code',
  'error_name',
  'error_category',
  'ray_id',
  'timestamp',
  'zone',
  'platform_error',
  'retryable',
  'retry_after',
  'owner_action_required',
  'what_you_should_do',
  'footer',
];

const stringLiteral = /"(?:[^"\\]|\\.)*"/g;

describe('renderJson', () => {
  it('ERR-034: is one object without spaces outside strings, without BOM, and one line feed', () => {
    const body = renderJson(reportOf(522).problem);
    expect(body.startsWith('{"type":"https://packhouse.example/errors/522","title":"Error 522: Connection')).toBe(true);
    expect(body.endsWith('"}\n')).toBe(true);
    expect(body.replaceAll(stringLiteral, '""')).not.toMatch(/\s(?!$)/);
  });

  property.prop([anyReport])('ERR-034: is flat JSON that UTF-8 holds without loss, for any values', ({ problem }) => {
    const body = renderJson(problem);
    const received = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(body));
    expect(received).toBe(body);
    expect(JSON.parse(received)).toEqual(problem);
    expect(body.replaceAll(stringLiteral, '""')).toMatch(/^\{[^{}[\]\s]*\}\n$/);
  });

  it('ERR-035: has the members in the order of the table, without `retry_after` if not retryable', () => {
    expect(Object.keys(JSON.parse(renderJson(reportOf(522).problem)) as object)).toEqual(members);
    expect(Object.keys(JSON.parse(renderJson(reportOf(1016).problem)) as object)).toEqual(
      members.filter((name) => name !== 'retry_after'),
    );
  });

  property.prop([anyReport])('ERR-035: has no other members except `x_...` at the end', ({ problem, marker }) => {
    const expected = members
      .map((name) => (name === 'platform_error' ? marker : name))
      .filter((name) => name !== 'retry_after' || problem.retryable);
    const names = Object.keys(JSON.parse(renderJson(problem)) as object);
    expect(names.slice(0, expected.length)).toEqual(expected);
    fc.pre(names.length > expected.length);
    for (const name of names.slice(expected.length)) expect(name).toMatch(/^x_/);
  });
});
