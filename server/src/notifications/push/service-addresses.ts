/**
 * Where push services may be. Any user may give an address of one, so it is public, or of a network that the installation
 * names. Never a metadata service or the link, whatever is named.
 */
import { parseAddressList } from '#http/address-list.ts';
import { verdictOf, type AddressPolicy } from '#media/protocol/address-policy.ts';
import type { Dialing } from '../deliveries/post.ts';

/** `named`: networks in CIDR, beside all public ones. `policyNow`: read at each try; a machine gets other addresses. */
export function pushServiceJudge(
  named: readonly string[],
  policyNow: (reach: Pick<AddressPolicy, 'allowLoopback' | 'networks'>) => AddressPolicy,
): Dialing['allows'] {
  const list = named.length === 0 ? null : parseAddressList(named.join(','));
  const isNamed = (address: string) => list !== null && 'allows' in list && list.allows(address);
  return (address, port) => {
    const policy = policyNow({ allowLoopback: true, networks: [] });
    const verdict = verdictOf(address, port, policy);
    return verdict === 'outside' || (verdict === 'allowed' && isNamed(address));
  };
}
