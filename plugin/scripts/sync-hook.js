// It never stands in the way of the session.
require('./start.js')('hooks/sync-hook.cjs', 0);
