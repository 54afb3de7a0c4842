export { extendSchema } from './postgres/extend-schema.ts';
export { measuredDriver, type StatementCost } from './postgres/measured-driver.ts';
export { type SqlFault, type SqlFaultCode, type SqlStep, faultySql, SqlFaultError } from './sql/faulty-sql.ts';
export { limitedDriver } from './sql/limited-driver.ts';
