/**
 * The guard for clients that know no http hooks: a program that carries the question to the worker.
 * It is text, because the client starts it from a file of its own. Whatever goes wrong, exit code 2
 * denies the call.
 */
export const GUARD_PROGRAM = `import { request } from 'node:http';
const deny = (reason) => {
  process.stderr.write('The guard of this story cannot be asked: ' + reason);
  process.exit(2);
};
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const headers = { authorization: 'Bearer ' + process.env.SAGA_HOOK_TOKEN };
const call = request(process.argv[2], { method: 'POST', headers, timeout: 10000 }, async (answer) => {
  let body = '';
  for await (const chunk of answer) body += chunk;
  if (answer.statusCode !== 200) deny('status ' + answer.statusCode);
  const reason = JSON.parse(body).hookSpecificOutput?.permissionDecisionReason;
  if (reason === undefined) process.exit(0);
  process.stderr.write(reason);
  process.exit(2);
});
call.on('error', (error) => deny(error.message));
call.on('timeout', () => deny('no answer'));
call.end(Buffer.concat(chunks));
`;
