// What a script does that knows nothing of locks and trusts every file: the least that finding the
// ready tasks of a native list can cost.
const { readdirSync, readFileSync } = require('node:fs');

const [folder] = process.argv.slice(2);
const tasks = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')));
const done = new Set(tasks.filter((task) => task.status === 'completed').map((task) => task.id));
const ready = tasks.filter(
  (task) => task.status === 'pending' && task.blockedBy.every((id) => done.has(id)),
);
process.stdout.write(ready.map((task) => `${task.id}  ${task.subject}\n`).join(''));
