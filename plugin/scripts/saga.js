#!/usr/bin/env node
require('./start.js')('saga.cjs', 1);
