/**
 * One ONVIF device: its streams, whether it moves, its presets and movements. The library makes the requests;
 * `agents.ts` decides where they go, and answers are not trusted. Runs in a media worker.
 */
import { Cam } from 'onvif';
import { maskedAddress } from '@nazar/contract/address-secrets.ts';
import { isAddressFault, readAddress } from '@nazar/contract/camera-address.ts';
import type { DeviceDescription, DeviceOutcome, DeviceStream } from '@nazar/contract/devices.ts';
import type { Movement, Preset } from '@nazar/contract/movements.ts';
import type { Clock } from '#lib/clock.ts';
import type { AddressPolicy } from '../../protocol/address-policy.ts';
import { destinationOf } from '../../sources/dial/dial.ts';
import { IngestFault } from '../../protocol/fault.ts';
import type { DeviceAddress, MoveTarget } from '../../protocol/worker-messages.ts';
import { agentFor } from './agents.ts';
import { plainText } from './plain-text.ts';

const requestTimeoutMs = 4_000;
/** A camera with more streams has them for other programs. */
const maxStreams = 8;
const maxPresets = 64;
/** Tokens are put into requests as they are: they must hold nothing that ends an XML element or attribute. */
const token = /^[\w.:-]{1,64}$/;

/** Why a request to a device failed. */
export class DeviceFault extends Error {
  override readonly name = 'DeviceFault';
  readonly outcome: DeviceOutcome;

  constructor(outcome: DeviceOutcome, cause?: unknown) {
    super(outcome, { cause });
    this.outcome = outcome;
  }
}

type Done = (error: Error | null, answer?: unknown, xml?: unknown, status?: number) => void;

/** Fields of a camera's answer: any of them may be anything. */
type Said = Readonly<Record<string, unknown>>;

const fields = (value: unknown): Said =>
  typeof value === 'object' && value !== null ? (value as Said) : {};

export interface DeviceOptions {
  readonly device: DeviceAddress;
  readonly policy: AddressPolicy;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

export class Device {
  readonly #cam: Cam;
  readonly #url: URL;
  readonly #clock: Clock;

  constructor({ device, policy, signal, clock }: DeviceOptions) {
    const url = URL.parse(device.url);
    const to = url && destinationOf(url, 'http');
    if (!to) throw new DeviceFault('address_refused');
    this.#url = url;
    this.#clock = clock;
    this.#cam = new Cam({
      hostname: to.host,
      port: to.port,
      path: `${url.pathname}${url.search}`,
      useSecure: to.tls,
      ...(device.username ? { username: device.username, password: device.password } : {}),
      // The library writes the name into XML as it is; such names are sent by HTTP's own digest alone.
      useWSSecurity: !/[<>&]/.test(device.username),
      timeout: requestTimeoutMs,
      autoconnect: false,
      preserveAddress: true,
      agent: agentFor({ to, dialer: { policy }, signal }),
    });
  }

  /** Throws DeviceFault. */
  async describe(): Promise<Omit<DeviceDescription, 'outcome'>> {
    const profiles = await this.#begin();
    const streams: DeviceStream[] = [];
    for (const profile of profiles.slice(0, maxStreams)) {
      const stream = await this.#streamOf(profile);
      if (stream) streams.push(stream);
    }
    const information = await this.#ask((done) => this.#cam.getDeviceInformation(done)).catch(
      () => ({}),
    );
    const { manufacturer, model } = fields(information);
    return {
      manufacturer: plainText(manufacturer),
      model: plainText(model),
      streams,
      moves: this.#movingIn(profiles) !== null,
    };
  }

  /** Finds what a movement needs; null when the device does not move. Throws DeviceFault. */
  async findTarget(): Promise<MoveTarget | null> {
    const profiles = await this.#begin();
    const profile = this.#movingIn(profiles);
    const path = fields(fields(this.#cam.uri)['ptz'])['path'];
    if (profile === null || typeof path !== 'string' || !path.startsWith('/')) return null;
    const shiftMs = (this.#cam.timeShift ?? 0) + process.uptime() * 1000 - this.#clock.now();
    return { path: path.slice(0, 500), profile, shiftMs };
  }

  /** Throws DeviceFault. */
  async presets(target: MoveTarget): Promise<Preset[]> {
    this.#aim(target);
    const { profile: profileToken } = target;
    await this.#ask((done) => this.#cam.getPresets({ profileToken }, done));
    return Object.entries(fields(this.#cam.presets))
      .filter(([preset]) => token.test(preset))
      .slice(0, maxPresets)
      .map(([preset, said]) => ({
        token: preset,
        name: plainText(fields(said)['name']) || preset,
      }));
  }

  /** Throws DeviceFault. */
  async move(target: MoveTarget, movement: Movement): Promise<void> {
    this.#aim(target);
    const { profile: profileToken } = target;
    switch (movement.kind) {
      case 'move': {
        const { x, y, zoom, for_ms: timeout } = movement;
        // Some cameras take only one kind of movement at a time.
        const only = zoom === 0 ? { onlySendPanTilt: true } : { onlySendZoom: true };
        const wanted = { x, y, zoom, timeout, profileToken, ...only };
        await this.#ask((done) => this.#cam.continuousMove(wanted, done));
        break;
      }
      case 'stop':
        await this.#ask((done) =>
          this.#cam.stop({ profileToken, panTilt: true, zoom: true }, done),
        );
        break;
      case 'preset': {
        const { preset } = movement;
        if (!token.test(preset)) throw new DeviceFault('failed');
        await this.#ask((done) => this.#cam.gotoPreset({ profileToken, preset }, done));
        break;
      }
    }
  }

  /** The profiles with tokens that can be used in requests. */
  async #begin(): Promise<Said[]> {
    await this.#ask((done) => this.#cam.getSystemDateAndTime(done));
    await this.#findServices();
    const profiles = await this.#ask((done) => this.#cam.getProfiles(done));
    return (Array.isArray(profiles) ? profiles : [])
      .map(fields)
      .filter((profile) => token.test(tokenOf(profile)));
  }

  /** Old devices do not know GetServices and answer GetCapabilities only. */
  async #findServices(): Promise<void> {
    try {
      await this.#ask((done) => this.#cam.getServices(true, done));
    } catch (error) {
      if (error instanceof DeviceFault && error.outcome !== 'not_onvif') throw error;
      await this.#ask((done) => this.#cam.getCapabilities(done));
    }
  }

  async #streamOf(profile: Said): Promise<DeviceStream | null> {
    const profileToken = tokenOf(profile);
    const answer = await this.#ask((done) =>
      this.#cam.getStreamUri({ protocol: 'RTSP', stream: 'RTP-Unicast', profileToken }, done),
    ).catch(() => null);
    const url = this.#ownUrl(fields(answer)['uri']);
    if (url === null) return null;
    const encoder = fields(profile['videoEncoderConfiguration']);
    const { width, height } = fields(encoder['resolution']);
    return {
      name: plainText(profile['name']) || profileToken,
      url,
      codec: plainText(encoder['encoding']),
      width: whole(width, 7680),
      height: whole(height, 4320),
      fps: whole(fields(encoder['rateControl'])['frameRateLimit'], 240),
    };
  }

  /**
   * The URL with the device's own host: behind a router a device names another one, which is never used. What is secret
   * in it is masked: it may be the stored password of a camera, which the reader does not know.
   */
  #ownUrl(said: unknown): string | null {
    const read = typeof said === 'string' && said.length <= 2048 ? readAddress(said) : 'refused';
    const url = isAddressFault(read) ? null : URL.parse(read.url);
    if (!url || !/^rtsps?:$/.test(url.protocol)) return null;
    const port = url.port === '' ? '' : `:${url.port}`;
    const { pathname, search } = url;
    return maskedAddress(`${url.protocol}//${this.#url.hostname}${port}${pathname}${search}`);
  }

  #movingIn(profiles: readonly Said[]): string | null {
    const moving = profiles.find((profile) => typeof profile['PTZConfiguration'] === 'object');
    return moving ? tokenOf(moving) : null;
  }

  /** Puts the library in the state that it has after connecting. */
  #aim({ path, shiftMs }: MoveTarget): void {
    this.#cam.uri = { ptz: { path } } as unknown as NonNullable<Cam['uri']>;
    this.#cam.timeShift = shiftMs + this.#clock.now() - process.uptime() * 1000;
  }

  /** The library may call back twice; the first call counts. */
  async #ask(begin: (done: Done) => void): Promise<unknown> {
    const answered = Promise.withResolvers<unknown>();
    begin((error, answer, _xml, status) => {
      if (error) answered.reject(faultOf(error, status));
      else answered.resolve(answer);
    });
    return answered.promise;
  }
}

function tokenOf(profile: Said): string {
  const said = fields(profile['$'])['token'];
  return typeof said === 'string' || typeof said === 'number' ? String(said) : '';
}

function whole(value: unknown, max: number): number | null {
  const number = Math.round(Number(value));
  return number >= 1 && number <= max ? number : null;
}

function faultOf(error: Error, status: number | undefined): DeviceFault {
  if (error instanceof IngestFault) {
    const refused = error.fault === 'address_refused';
    return new DeviceFault(refused ? 'address_refused' : 'unreachable', error);
  }
  const isRefused = status === 401 || status === 403 || /auth/i.test(error.message);
  if (isRefused) return new DeviceFault('password_refused', error);
  if (/timeout|ECONNRESET|socket hang up|aborted|too long/i.test(error.message)) {
    return new DeviceFault('no_answer', error);
  }
  return new DeviceFault('not_onvif', error);
}
