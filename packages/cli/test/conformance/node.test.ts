import { cases, dialectSample, groupSample } from '@packhouse/conformance';
import { sampleSeed } from '@packhouse/fixtures';
import { served } from './support/served.ts';
import { testRuntime } from './support/test-runtime.ts';

const seed = sampleSeed('commit');
testRuntime('node', served('node'), {
  neutral: groupSample(cases, seed),
  cloudflare: seed === undefined ? dialectSample(cases) : [],
});
