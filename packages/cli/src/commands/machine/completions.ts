import { SagaError } from '@saga-ai/core/errors';
import type { CompletionsJson } from '@saga-ai/types/screens/json/machine';
import type { Command } from '../../command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** Each script calls `saga complete`, so it always offers the current ids and options. */
const SCRIPTS: Record<(typeof SHELLS)[number], string> = {
  bash: `_saga() {
  local IFS=$'\\n'
  COMPREPLY=($(saga complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _saga saga`,
  zsh: `#compdef saga
_saga() {
  local -a candidates
  local line
  while IFS= read -r line; do
    candidates+=("\${line//$'\\t'/:}")
  done < <(saga complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  _describe saga candidates || _files
}
# As a file of fpath, this runs at the first Tab, which must complete too.
if [ "$funcstack[1]" = "_saga" ]; then _saga; else compdef _saga saga; fi`,
  fish: `function __saga_complete
    set -l words (commandline -opc) (commandline -ct)
    saga complete -- $words[2..-1] 2>/dev/null
end
complete -c saga -f -a '(__saga_complete)'
complete -c saga -l file -s f -r -F`,
};

export const command: Command<CompletionsJson> = {
  output: () => import('@saga-ai/types/screens/json/machine').then((it) => it.CompletionsJson),
  args: [{ name: 'shell', help: SHELLS.join(', '), required: true, complete: SHELLS }],
  examples: [
    'source <(saga completions bash)',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces belong to the shell
    'saga completions zsh > "${fpath[1]}/_saga"',
    'saga completions fish > ~/.config/fish/completions/saga.fish',
  ],
  run({ args, out }) {
    const shell = SHELLS.find((it) => it === args[0]);
    if (!shell) {
      throw new SagaError(
        'usage',
        `No completions for ${JSON.stringify(args[0])}.`,
        `Name one of these shells: ${SHELLS.join(', ')}.`,
      );
    }
    if (out.json) return void out.value({ shell, script: SCRIPTS[shell] });
    out.lines([SCRIPTS[shell]]);
    return 0;
  },
};
