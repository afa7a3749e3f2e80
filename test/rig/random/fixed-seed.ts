import { configureGlobal } from 'fast-check';
import { SEED } from './seed.ts';

/** Properties are tried with the same values in every run, so that a test does not change between red and green. */
configureGlobal({ seed: SEED });
