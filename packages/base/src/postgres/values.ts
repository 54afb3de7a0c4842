import { types, type CustomTypesConfig } from 'pg';

type Parse = (text: string) => unknown;

/** Not the `Buffer` of pg, whose `slice` differs and whose memory may be shared. */
const bytes: Parse = (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex'));
const listOfBytes: Parse = (text) =>
  (types.getTypeParser(1001 as number)(text) as (Buffer | null)[]).map((each) => each && new Uint8Array(each));
const numbers: Parse = (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(numberOrNull));

function numberOrNull(text: string): number | null {
  return text === 'NULL' ? null : Number(text);
}

/** int8, numeric, bytea, bytea[], int8[], numeric[] by their OIDs in `pg_type`. */
const parsers = new Map<number, Parse>([
  [20, Number],
  [1700, Number],
  [17, bytes],
  [1001, listOfBytes],
  [1016, numbers],
  [1231, numbers],
]);

/** Parses values as `PostgresSession.rows` promises; pg returns int8 and numeric as texts. */
export const valueTypes: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format === 'binary' ? undefined : parsers.get(oid)) ?? types.getTypeParser(oid, format as 'text'),
};
