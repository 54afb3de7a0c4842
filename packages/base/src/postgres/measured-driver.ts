import type { PostgresDriver, PostgresSession, PostgresValue } from './driver.ts';

/** Cost of one statement. */
export interface StatementCost {
  readonly statement: string;
  /** Blocks of tables and indexes that it touched. */
  readonly blocks: number;
  /** Tables that it read as a whole. */
  readonly scanned: readonly string[];
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** For tests: runs each statement twice, first to measure its cost, with all changes undone. */
export function measuredDriver(driver: PostgresDriver, measured: (cost: StatementCost) => void): PostgresDriver {
  const sessionOf = (session: PostgresSession): PostgresSession => ({
    async rows<Row>(statement: string, parameters?: readonly PostgresValue[]): Promise<Row[]> {
      void session.rows('SAVEPOINT measured');
      const explained = session.rows<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`,
        parameters,
      );
      void session.rows('ROLLBACK TO SAVEPOINT measured');
      const rows = session.rows<Row>(statement, parameters);
      const [plan] = await explained;
      if (plan !== undefined) measured({ statement, ...costOf(plan['QUERY PLAN'][0].Plan) });
      return rows;
    },
  });
  return {
    rows: (statement, parameters) => driver.transaction((session) => sessionOf(session).rows(statement, parameters)),
    transaction: (work, kind) => driver.transaction((session) => work(sessionOf(session)), kind),
    close: () => driver.close(),
  };
}

function costOf(plan: PlanNode): Pick<StatementCost, 'blocks' | 'scanned'> {
  const nodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  const scanned = nodes(plan).flatMap((node) =>
    node['Node Type'] === 'Seq Scan' && node['Relation Name'] !== undefined ? [node['Relation Name']] : [],
  );
  // Those of the topmost node include all below it.
  return { blocks: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0), scanned };
}
