import type { NetworkReach } from '../scope/surroundings.ts';

/**
 * Says which refused hosts may have made a command fail, and how to allow them. Hosts are `name:port`. Returns
 * undefined if the output of the command does not mention them.
 */
export function explainNetwork(
  output: string,
  refused: readonly string[],
  { network, domains }: NetworkReach,
): string | undefined {
  const named = refused.filter((it) => output.includes(it.replace(/:\d+$/, '')));
  const meant = named.length > 0 ? named : IS_PROXY.test(output) ? refused : [];
  if (meant.length === 0) return undefined;
  const wanted = meant.map((it) => it.replace(/:(80|443)$/, ''));
  const list = [...new Set([...domains, ...wanted])].join(',');
  const first = network === 'list' ? '' : 'saga config sandbox.network list; ';
  return `The sandbox may be the reason: it refused ${meant.join(', ')}. If the command needs that: ${first}saga config sandbox.domains "${list}"`;
}

/** What programs print if the proxy refuses. */
const IS_PROXY = /\b403\b|tunnel|proxy/i;
