import type { PostgresDriver, PostgresValue } from '@packhouse/base';
import {
  packedRefsMax,
  refNamesMax,
  refsPerOid,
  type RefName,
  type RefPage,
  type RefQuery,
  type RefTarget,
} from '@packhouse/git';
import { nameBounds } from '../../repo-state/name-range.ts';
import { checkQuery, isReadable, pageOf, type NameRange } from '../../repo-state/read-refs.ts';
import { parseTarget } from '../../repo-state/ref-target.ts';
import { namedRefs } from './ref-table.ts';
import { gone } from './repo-row.ts';

/** A row of one of the parts of the statement. */
interface PartRow {
  readonly part: 'repo' | 'name' | 'now' | 'past';
  readonly name: RefName;
  readonly target: string;
  readonly version: number;
  readonly oldest: number;
}

/** Implements `RepoState.refs` with one statement, which sees one snapshot. */
export async function readRefs(
  driver: PostgresDriver,
  repo: string,
  version: number,
  query: RefQuery,
): Promise<RefPage | undefined> {
  checkQuery(query);
  const parameters: PostgresValue[] = [repo, version];
  const parts = partsOf(query, version, (value) => `$${parameters.push(value)}`);
  const rows = await driver.rows<PartRow>(
    `SELECT * FROM (
       WITH names AS MATERIALIZED (${parts.names}), now AS MATERIALIZED (${parts.now})
       SELECT 'repo' AS part, NULL AS name, NULL AS target, version, oldest_refs AS oldest FROM packhouse.repos
       WHERE id = $1 AND NOT erased
       UNION ALL SELECT 'name', name, NULL, NULL, NULL FROM names
       UNION ALL SELECT 'now', name, target, NULL, NULL FROM now
       UNION ALL SELECT 'past', name, target, version, NULL FROM packhouse.ref_history
       WHERE repo_id = $1 AND version > $2 AND ${parts.past}
     ) AS parts ORDER BY name COLLATE "C", version DESC`,
    parameters,
  );
  const of = (part: PartRow['part']): PartRow[] => rows.filter((row) => row.part === part);
  const [row] = of('repo');
  if (row === undefined) throw gone();
  if (!isReadable(row, version, query)) return undefined;
  return pageOf(query, {
    names: of('name').map(({ name }) => name),
    rows: of('now').map(({ name, target }) => ({ name, target: parseTarget(target) as RefTarget })),
    // The first change of a ref after the version comes last, and replaced its value at the version.
    past: new Map(of('past').map(({ name, target }) => [name, parseTarget(target)])),
  });
}

interface Parts {
  /** Selects the names that `changed` asks for. */
  readonly names: string;
  /** Selects the current refs. */
  readonly now: string;
  /** Condition on changes that can matter. */
  readonly past: string;
}

function partsOf(query: RefQuery, version: number, parameter: (value: PostgresValue) => string): Parts {
  const refs = 'SELECT name, target FROM packhouse.refs WHERE repo_id = $1';
  const noNames = 'SELECT NULL::text AS name WHERE false';
  const within = (range: NameRange): string =>
    ['true', ...nameBounds(range).map((bound) => conditionOf(bound.operator, bound.text, parameter))].join(' AND ');
  if (query.kind === 'named') {
    const names = parameter([...new Set(query.names)]);
    return { names: noNames, now: namedRefs(names), past: `name = ANY(${names})` };
  }
  if (query.kind === 'pointing') {
    const oids = parameter([...new Set(query.oids)]);
    const now = `SELECT found.name, found.target FROM unnest(${oids}::text[]) AS asked (oid)
      CROSS JOIN LATERAL (${refs} AND oid = asked.oid LIMIT ${refsPerOid}) AS found`;
    return { names: noNames, now, past: 'true' };
  }
  if (query.kind === 'below') {
    const { prefix, after, limit = packedRefsMax } = query;
    const condition = within({ prefix, after });
    const last = `(SELECT max(name) FROM now HAVING count(*) = ${parameter(limit)})`;
    return {
      names: noNames,
      now: `${refs} AND ${condition} ORDER BY name LIMIT ${parameter(limit)}`,
      past: `${condition} AND name <= coalesce(${last}, name)`,
    };
  }
  const { since, after, end } = query;
  const names = `SELECT DISTINCT name FROM packhouse.ref_history
    WHERE repo_id = $1 AND version > ${parameter(Math.min(since, version))}
      AND version <= ${parameter(Math.max(since, version))} AND ${within({ prefix: '', after, end })}
    ORDER BY name LIMIT ${refNamesMax}`;
  const named = 'name IN (SELECT name FROM names)';
  return { names, now: `${refs} AND ${named}`, past: named };
}

/** A name never contains NUL, which PostgreSQL refuses in texts. So such a bound means the text before NUL. */
function conditionOf(operator: string, text: string, parameter: (value: PostgresValue) => string): string {
  const end = text.indexOf('\0');
  if (end < 0) return `name ${operator} ${parameter(text)}`;
  return `name ${operator.startsWith('>') ? '>' : '<='} ${parameter(text.slice(0, end))}`;
}
