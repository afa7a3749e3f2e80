# Finds the story whose worktree a folder is in, for the hooks beside it; they read this file. Every
# call of a tool in every session waits for it, so it starts no program. What counts is what git and
# SAGA keep in git's folder of the worktree; of worktrees of older versions also their path.

is_id() {
  case $1 in
    '' | *[!a-z0-9-]* | -* | *-) return 1 ;;
  esac
}

# Sets story, project, and epic of an older layout; fails when the folder is in no story's worktree.
find_story() {
  story=
  project=
  epic=
  case $1 in
    /*) ;;
    *) return 1 ;;
  esac
  top=$1
  while [ -n "$top" ]; do
    [ ! -f "$top/.git" ] || ! find_by_git "$top" || return 0
    top=${top%/*}
  done
  find_by_path "$1"
}

find_by_git() {
  read -r link < "$1/.git" || return 1
  case $link in
    'gitdir: /'*) own=${link#gitdir: } ;;
    'gitdir: '*) own=$(cd "$1/${link#gitdir: }" 2> /dev/null && pwd -P) || return 1 ;;
    *) return 1 ;;
  esac
  # Only git's folder of a worktree leads to one that it shares with others.
  [ -f "$own/commondir" ] || return 1
  branch=
  noted=
  if [ -f "$own/saga-story" ]; then
    { read -r branch && read -r noted; } < "$own/saga-story"
  else
    read -r branch < "$own/HEAD" || return 1
    branch=${branch#ref: refs/heads/}
  fi
  case $branch in
    story/*) story=${branch#story/} ;;
    *) return 1 ;;
  esac
  is_id "$story" || return 1
  common=${own%/worktrees/*}
  # The project may have been moved since, and another one be where it was.
  if [ -n "$noted" ] && { [ "$noted/.git" -ef "$common" ] || [ -f "$noted/.git" ]; }; then
    project=$noted
  else
    case $common in
      */.git) project=${common%/.git} ;;
      *) return 1 ;;
    esac
  fi
  # Other people have branches of this name, too: by hand, it takes a story of the plan.
  [ -f "$own/saga-story" ] || [ -f "$project/.saga/stories/$story/story.json" ] ||
    [ -f "$1/.saga/stories/$story/story.json" ]
}

# .saga/worktrees/<story>; in a still older layout .saga/worktrees/<epic>/<story>.
find_by_path() {
  story=
  case $1/ in
    */.saga/worktrees/*) ;;
    *) return 1 ;;
  esac
  project=${1%/.saga/worktrees/*}
  below=${1#"$project"/.saga/worktrees/}/
  first=${below%%/*}
  rest=${below#*/}
  second=${rest%%/*}
  worktrees=$project/.saga/worktrees
  if is_id "$first" && [ -e "$worktrees/$first/.git" ]; then
    story=$first
  elif is_id "$first" && is_id "$second" && [ -e "$worktrees/$first/$second/.git" ]; then
    epic=$first
    story=$second
  else
    return 1
  fi
}
