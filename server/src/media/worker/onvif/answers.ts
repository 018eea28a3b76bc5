/** Answers a media worker's questions about ONVIF devices. */
import type { DeviceDescription } from '@nazar/contract/devices.ts';
import type { Clock } from '#lib/clock.ts';
import { policyOf } from '../../protocol/own-addresses.ts';
import type {
  AskDevice,
  AskDiscovery,
  AskMove,
  DiscoveryAnswer,
  MoveAnswer,
} from '../../protocol/worker-messages.ts';
import { Device, DeviceFault } from './device.ts';
import { discover } from './discovery.ts';

/** The bound for all requests to one device: about twelve, each of which may take long. */
const deviceTimeoutMs = 12_000;

export async function discovered(ask: AskDiscovery, clock: Clock): Promise<DiscoveryAnswer> {
  const { reach, to, waitMs } = ask;
  return { devices: await discover({ policy: policyOf(reach), to, waitMs, clock }) };
}

export async function described(ask: AskDevice, clock: Clock): Promise<DeviceDescription> {
  try {
    const description = await within(clock, (signal) => deviceOf(ask, signal, clock).describe());
    return { outcome: 'found', ...description };
  } catch (error) {
    const nothing = { manufacturer: '', model: '', streams: [], moves: false };
    return { outcome: outcomeOf(error), ...nothing };
  }
}

export async function moved(ask: AskMove, clock: Clock): Promise<MoveAnswer> {
  let { target } = ask;
  const work = async (signal: AbortSignal): Promise<MoveAnswer> => {
    const device = deviceOf(ask, signal, clock);
    target ??= await device.findTarget();
    if (target === null) return { outcome: 'found', target, presets: [] };
    if (ask.movement) await device.move(target, ask.movement);
    // A camera without presets may answer the request with a fault.
    const presets = ask.movement ? [] : await device.presets(target).catch(() => []);
    return { outcome: 'found', target, presets };
  };
  try {
    return await within(clock, work);
  } catch (error) {
    return { outcome: outcomeOf(error), target: null, presets: [] };
  }
}

/** The library may forget to answer; a device may answer one byte a second. */
async function within<R>(clock: Clock, work: (signal: AbortSignal) => Promise<R>): Promise<R> {
  const over = new AbortController();
  const late = clock.wait(deviceTimeoutMs, over.signal).then(() => {
    throw new DeviceFault('no_answer');
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([work(over.signal), late]);
  } finally {
    over.abort();
  }
}

function deviceOf(
  { reach, device }: AskDevice | AskMove,
  signal: AbortSignal,
  clock: Clock,
): Device {
  return new Device({ device, policy: policyOf(reach), signal, clock });
}

const outcomeOf = (error: unknown) => (error instanceof DeviceFault ? error.outcome : 'failed');
