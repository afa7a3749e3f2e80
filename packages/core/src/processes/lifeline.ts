import { type Lifeline, startListener } from './run.ts';
import { createWorkerMark } from './run-mark.ts';
import { OWN_FORM, type TableForm } from './table.ts';
import { WORKER_VARIABLE } from './variables.ts';

/**
 * Ends a worker's programs when the worker ends. A small shell in its own session holds the other end
 * of a pipe; the kernel closes the pipe when the worker ends, even by SIGKILL. The shell then ends the
 * process groups it was told of and every process that carries the worker's mark. After a normal end,
 * the worker tells the shell to leave at once.
 */
export function startLifeline(
  repository: string,
  session: string,
  form: TableForm = OWN_FORM,
): Lifeline & Disposable {
  const mark = createWorkerMark(repository, session);
  const shell = startListener('sh', ['-c', buildWatch(FIND_MARKED[form])]);
  // The mark is not an argument of the shell, because a search for the mark in the output of `ps` would find the shell
  // too.
  shell.tell(`${WORKER_VARIABLE}=${mark}`);
  return {
    variables: { [WORKER_VARIABLE]: mark },
    hold: (pid) => shell.tell(`hold ${pid}`),
    release: (pid) => shell.tell(`release ${pid}`),
    [Symbol.dispose]: () => shell.tell('over'),
  };
}

/** Prints the numbers of the processes that carry the mark, as `listCarriers` of the process table does. */
const FIND_MARKED: Readonly<Record<TableForm, string>> = {
  proc: `grep -lF -e "$mark" /proc/[0-9]*/environ | cut -d / -f 3`,
  ps: `ps axeww -o pid= -o command= | while read -r pid text; do
    case $text in *"$mark"*) echo "$pid" ;; esac
  done`,
};

/**
 * Gives processes 0.3 s to end cleanly, so that git removes its locks and a test run its files; then
 * sends SIGKILL. Two searches must find nothing: a process that is just starting may carry its mark
 * only at the second.
 */
const buildWatch = (findMarked: string) => `
trap '' HUP INT QUIT TERM
read -r mark || exit 0
groups=' '
while read -r word pid; do
  case $word in
    hold) groups="$groups$pid " ;;
    release) groups="\${groups%% $pid *} \${groups#* $pid }" ;;
    over) exit 0 ;;
  esac
done
find_marked() {
  ${findMarked}
}
round=0
quiet=0
signal=TERM
while [ $quiet -lt 2 ] && [ $round -lt 100 ]; do
  quiet=$((quiet + 1))
  [ $round -lt 3 ] || signal=KILL
  for group in $groups; do kill -s $signal -- -$group && quiet=0; done
  for pid in $(find_marked); do kill -s $signal $pid && quiet=0; done
  round=$((round + 1))
  sleep 0.1
done 2> /dev/null
`;
