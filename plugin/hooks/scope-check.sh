#!/bin/sh
# Only a story's worktree has a scope: everywhere else this ends before a program is started, also if
# a part of the plugin is missing. A worker's own runs have a guard already.
[ -z "${SAGA_RUN_ID:-}" ] || exit 0
if [ -z "${SAGA_STORY_ID:-}${SAGA_STORY_SLUG:-}" ]; then
  [ -r "${0%/*}/find-story.sh" ] || exit 0
  . "${0%/*}/find-story.sh"
  find_story "$PWD" || find_story "${CLAUDE_PROJECT_DIR:-}" || exit 0
fi

# Whatever goes wrong from here on denies the call: exit code 2 does, others would let it through.
validator=${0%/hooks/*}/scripts/scope-validator.js
if ! command -v node > /dev/null 2>&1; then
  echo "SAGA cannot check the scope of this story: node is not on PATH." >&2
  exit 2
fi
if [ ! -r "$validator" ]; then
  echo "SAGA cannot check the scope of this story: its plugin has changed. Start a new session." >&2
  exit 2
fi
# So short a program starts sooner without the threads that compile the code of long ones.
node --v8-pool-size=0 "$validator"
case $? in
  0) exit 0 ;;
  # It said why.
  2) exit 2 ;;
esac
echo "SAGA could not check the scope of this story." >&2
exit 2
