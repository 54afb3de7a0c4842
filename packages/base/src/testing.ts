export { type SqlFault, type SqlFaultCode, type SqlStep, faultySql, SqlFaultError } from './sql/faulty-sql.ts';
export { limitedDriver } from './sql/limited-driver.ts';
