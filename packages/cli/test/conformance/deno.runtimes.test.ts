import { cases, groupSample } from '@packhouse/conformance';
import { sampleSeed } from '@packhouse/fixtures';
import { served } from './support/served.ts';
import { testRuntime } from './support/test-runtime.ts';

testRuntime('deno', served('deno'), { neutral: groupSample(cases, sampleSeed(), 3, 0) });
