/** The address policy of this machine, by what the server allows and the present interfaces. */
import { networkInterfaces } from 'node:os';
import type { AddressPolicy } from './address-policy.ts';

/** Every network there is: what is never dialed stays refused. */
export const everywhere = ['0.0.0.0/0', '::/0'];

export function policyOf({
  allowLoopback,
  networks,
  ownPorts,
}: Omit<AddressPolicy, 'ownAddresses'>): AddressPolicy {
  const ownAddresses = Object.values(networkInterfaces()).flatMap(
    (addresses) => addresses?.map(({ address }) => address) ?? [],
  );
  return { allowLoopback, networks, ownPorts, ownAddresses };
}
