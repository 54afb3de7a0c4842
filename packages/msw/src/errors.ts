/** The entry for platform errors only. It loads neither Git nor the rest of the service. */
export { createErrorsMock, type ErrorsMock, type ErrorsMockOptions } from './create-errors-mock.ts';
export type {
  DroppedConnectionFault,
  FaultScope,
  LatencyFault,
  PlatformErrorFault,
  PlatformFault,
  RateLimitFault,
} from './faults/fault.ts';
export type { Faults } from './faults/fault-list.ts';
export { MockOptionsError } from './options/origin.ts';
export type { Clock } from '@packhouse/base';
