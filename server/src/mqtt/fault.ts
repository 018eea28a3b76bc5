/** Why a broker could not be reached, or let us go, as the settings page says it. */
import type { MqttFault } from '@nazar/contract/mqtt.ts';
import { IngestFault } from '#media/protocol/fault.ts';

export class BrokerFault extends Error {
  override readonly name = 'BrokerFault';
  readonly fault: MqttFault;

  constructor(fault: MqttFault, cause?: unknown) {
    super(fault, { cause });
    this.fault = fault;
  }
}

/** Codes with which brokers refuse a connection: those of MQTT 3.1.1 are below 128. */
const refusals: Readonly<Record<number, MqttFault>> = {
  1: 'protocol_refused',
  2: 'client_refused',
  4: 'password_refused',
  5: 'password_refused',
  132: 'protocol_refused',
  133: 'client_refused',
  134: 'password_refused',
  135: 'password_refused',
  140: 'password_refused',
};

/** Classifies an error that came before the broker let us in. */
export function faultOf(error: unknown): BrokerFault {
  if (error instanceof BrokerFault) return error;
  if (error instanceof IngestFault) {
    const { fault } = error;
    const isSame = fault === 'address_refused' || fault === 'certificate_refused';
    return new BrokerFault(isSame ? fault : 'unreachable', error);
  }
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code === 'number') return new BrokerFault(refusals[code] ?? 'refused', error);
  return new BrokerFault('not_mqtt', error);
}
