// What it cannot check, it denies: exit code 2 does.
require('./start.js')('hooks/scope-validator.cjs', 2);
