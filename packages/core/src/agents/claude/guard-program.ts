import { TOKEN_VARIABLE } from './hook-token.ts';

/**
 * The hook program for clients without http hooks: it forwards the question to the worker. It is text
 * because it is a part of the command that the client starts: inside the sandbox there is no file of SAGA's. It passes on the worker's denial unchanged; on any error,
 * exit code 2 denies the call.
 */
export const GUARD_PROGRAM = `import { request } from 'node:http';
const deny = (reason) => {
  process.stderr.write('The guard of this story cannot be asked: ' + reason);
  process.exit(2);
};
// Any other exit code would let the call through.
process.on('uncaughtException', (error) => deny(error.message));
process.on('unhandledRejection', (error) => deny(String(error)));
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const headers = { authorization: 'Bearer ' + process.env.${TOKEN_VARIABLE} };
const call = request(process.argv[1], { method: 'POST', headers, timeout: 10000 }, async (answer) => {
  let body = '';
  for await (const chunk of answer) body += chunk;
  if (answer.statusCode !== 200) deny('status ' + answer.statusCode);
  const { hookSpecificOutput } = JSON.parse(body);
  // With exit code 2 the client would show the model this command before the reason.
  if (hookSpecificOutput) process.stdout.write(JSON.stringify({ hookSpecificOutput }));
});
call.on('error', (error) => deny(error.message));
call.on('timeout', () => deny('no answer'));
call.end(Buffer.concat(chunks));
`;
