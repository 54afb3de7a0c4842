import { cases, halfOfEngine } from '@packhouse/conformance';
import { served } from './support/served.ts';
import { testRuntime } from './support/test-runtime.ts';

testRuntime('bun', served('bun'), { neutral: halfOfEngine(cases, 'second') });
