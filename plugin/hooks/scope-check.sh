#!/bin/sh
# Only a story's worktree has a scope: everywhere else this ends before a program is started.
# A worker's own runs have a guard already.
[ -z "${SAGA_RUN_ID:-}" ] || exit 0
if [ -z "${SAGA_STORY_ID:-}${SAGA_STORY_SLUG:-}" ]; then
  . "${0%/*}/find-story.sh"
  find_story "$PWD" || find_story "${CLAUDE_PROJECT_DIR:-}" || exit 0
fi

# Whatever goes wrong from here on denies the call: exit code 2 does, others would let it through.
if ! command -v node > /dev/null 2>&1; then
  echo "SAGA cannot check the scope of this story: node is not on PATH." >&2
  exit 2
fi
node "${0%/hooks/*}/scripts/scope-validator.js" && exit 0
echo "SAGA could not check the scope of this story." >&2
exit 2
