#!/bin/sh
# Tells a session where it is: the main checkout of a project, or the worktree of a story; and what waits for
# the person. It runs at the start of every session in every folder, so it starts another program only in a
# project that has stories.

start=${CLAUDE_PROJECT_DIR:-$PWD}
[ -r "${0%/*}/find-story.sh" ] || exit 0
. "${0%/*}/find-story.sh"

find_project() {
  story=
  epic=
  folder=$start
  while [ -n "$folder" ]; do
    if [ -d "$folder/.saga" ]; then
      project=$folder
      return 0
    fi
    folder=${folder%/*}
  done
  return 1
}

# A value as the shell reads it back, whatever is in it.
quote() {
  rest=$1
  quoted=
  while :; do
    case $rest in
      *\'*)
        quoted="$quoted${rest%%\'*}'\\''"
        rest=${rest#*\'}
        ;;
      *) break ;;
    esac
  done
  quoted="'$quoted$rest'"
}

export_variable() {
  quote "$2"
  printf 'export %s=%s\n' "$1" "$quoted" >> "$CLAUDE_ENV_FILE"
}

export_all() {
  [ -n "${CLAUDE_ENV_FILE:-}" ] || return 0
  export_variable SAGA_PROJECT_DIR "$project"
  export_variable SAGA_PLUGIN_ROOT "${CLAUDE_PLUGIN_ROOT:-${0%/hooks/*}}"
  if [ -n "$story" ]; then
    export_variable SAGA_TASK_CONTEXT story-worktree
    export_variable SAGA_STORY_ID "$story"
  else
    export_variable SAGA_TASK_CONTEXT main
  fi
  if [ -n "$epic" ]; then
    export_variable SAGA_EPIC_SLUG "$epic"
    export_variable SAGA_STORY_SLUG "$story"
  fi
  # Without one of their own, people get the usual place, unless it belongs to somebody else.
  sessions=${SAGA_SESSION_DIR:-/tmp/saga-sessions}
  if [ -n "${SAGA_SESSION_DIR:-}" ] || [ ! -e "$sessions" ] || [ -O "$sessions" ]; then
    export_variable SAGA_SESSION_DIR "$sessions"
  fi
}

# Where locks and records are: in git's folder that all checkouts of the repository share.
find_runs() {
  runs=$project/.saga/runs
  if [ -d "$project/.git" ]; then
    common=$project/.git
  else
    { read -r link < "$project/.git"; } 2> /dev/null || return 0
    common=${link#gitdir: }
    case $common in
      /*) ;;
      *) common=$project/$common ;;
    esac
    if [ -f "$common/commondir" ]; then
      read -r link < "$common/commondir" || return 0
      case $link in
        /*) common=$link ;;
        *) common=$common/$link ;;
      esac
    fi
  fi
  [ ! -d "$common/saga/runs" ] || runs=$common/saga/runs
}

# A worker's lock is a folder that holds one file: host~process~start~nonce.
name_in_flight() {
  running=
  cut_off=
  find_runs
  for owner in "$runs"/locks/worker-*/*~*~*~*; do
    [ -e "$owner" ] || continue
    lock=${owner%/*}
    id=${lock##*/worker-}
    is_id "$id" || continue
    name=${owner##*/}
    pid=${name#*~}
    pid=${pid%%~*}
    if kill -0 "$pid" 2> /dev/null; then
      running="$running${running:+, }$id"
    else
      cut_off="$cut_off${cut_off:+, }$id"
    fi
  done
  line=
  [ -z "$running" ] || line="running: $running (saga sessions)"
  [ -z "$cut_off" ] || line="$line${line:+; }cut off: $cut_off (saga recover shows what was under way)"
  [ -z "$line" ] || printf 'SAGA: stories in flight, %s.\n' "$line"
}

# Ids and kinds only: what runs wrote does not become a part of this session.
name_needs() {
  set -- "$project"/.saga/stories/*/story.json
  [ -e "$1" ] || return 0
  needs=$(cd "$project" && sh "${0%/hooks/*}/bin/saga" inbox --brief 2> /dev/null) || return 0
  [ -z "$needs" ] || printf 'SAGA: waits for the person: %s. /saga:status or saga inbox says what to do.\n' "$needs"
}

find_story "$start" || find_project || exit 0
export_all
if [ -n "$story" ]; then
  printf 'SAGA: this is the worktree of story %s. Its journal is .saga/stories/%s/journal.md; nothing else below .saga is to be changed here.\n' "$story" "$story"
else
  name_in_flight
  name_needs
fi
exit 0
