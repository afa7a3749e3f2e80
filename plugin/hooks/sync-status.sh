#!/bin/sh
# For people who work a story by hand: a status set in the session reaches the story's file. It never
# stands in the way of the session.
[ -z "${SAGA_RUN_ID:-}" ] || exit 0
if [ -z "${SAGA_STORY_ID:-}${SAGA_STORY_SLUG:-}" ]; then
  [ -r "${0%/*}/find-story.sh" ] || exit 0
  . "${0%/*}/find-story.sh"
  find_story "$PWD" || find_story "${CLAUDE_PROJECT_DIR:-}" || exit 0
fi
if command -v node > /dev/null 2>&1; then
  node --v8-pool-size=0 "${0%/hooks/*}/scripts/sync-hook.js"
else
  echo "SAGA did not sync the status: node is not on PATH." >&2
fi
exit 0
