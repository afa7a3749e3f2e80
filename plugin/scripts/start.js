const { existsSync, readFileSync, realpathSync } = require('node:fs');
const { delimiter, dirname, isAbsolute, join } = require('node:path');

/** Starts a program of SAGA in this process. If SAGA is not there, says how to install it. */
module.exports = function start(name, codeWithout) {
  const script = findScript(name);
  if (script === undefined) {
    const install = 'npm run setup && npm run build && npm install -g ./packages/cli';
    console.error(`SAGA is not installed. In a clone of it, type ${install}`);
    process.exit(codeWithout);
  }
  process.argv[1] = script;
  require(script);
};

/** In the clone that the plugin is a part of, else in the package of the `saga` that is on PATH. */
function findScript(name) {
  const beside = join(__dirname, '../../packages/cli/dist', name);
  if (existsSync(beside)) return beside;
  // A folder that is not absolute could be one of the story.
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter((it) => isAbsolute(it))) {
    try {
      // npm makes a link to the program, pnpm a script that names it.
      const text = readFileSync(join(folder, 'saga'), 'utf8');
      const [, named = 'saga'] = /"\$basedir\/([^"]*saga\.cjs)"/.exec(text) ?? [];
      const script = join(dirname(realpathSync(join(folder, named))), name);
      if (existsSync(script)) return script;
    } catch {} // No saga in this folder.
  }
}
