import { cases, groupSample } from '@packhouse/conformance';
import { sampleSeed } from '@packhouse/fixtures';
import { served } from './support/served.ts';
import { testRuntime } from './support/test-runtime.ts';

testRuntime('bun', served('bun'), { neutral: groupSample(cases, sampleSeed(), 3, 1) });
