/**
 * Cameras on this network that make themselves known (WS-Discovery 1.0, as ONVIF uses it): one question on every
 * interface, and what comes back within a few seconds. Whoever answers is a stranger: of an answer only three texts
 * are read, by their tags, and an address counts only when it is the one that the answer came from. Runs in a media
 * worker, and only when an administrator asks.
 */
import { randomUUID } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { Clock } from '#lib/clock.ts';
import { isAllowed, type AddressPolicy } from '../../sources/dial/address-policy.ts';
import { destinationOf } from '../../sources/dial/dial.ts';
import { plainText } from './plain-text.ts';

export interface FoundDevice {
  readonly name: string;
  readonly hardware: string;
  readonly location: string;
  readonly address: string;
  /** The address of its device service, where further questions go. */
  readonly url: string;
}

export interface DiscoveryOptions {
  readonly policy: AddressPolicy;
  /** Where the question goes; a test's camera on this machine stands in for the multicast group. */
  readonly to: { readonly address: string; readonly port: number };
  readonly waitMs: number;
  readonly clock: Clock;
}

/** More cameras than that are no house's, and a flood of answers is no camera's. */
const maxDevices = 256;
const maxAnswers = 2_000;

export async function discover({
  policy,
  to,
  waitMs,
  clock,
}: DiscoveryOptions): Promise<FoundDevice[]> {
  const id = `urn:uuid:${randomUUID()}`;
  const probe = Buffer.from(probeOf(id));
  const found = new Map<string, FoundDevice>();
  let answers = 0;
  const heard = (message: Buffer, { address }: RemoteInfo): void => {
    answers += 1;
    if (answers > maxAnswers || found.size >= maxDevices) return;
    const device = readAnswer(message.toString('utf8'), id, address, policy);
    if (device) found.set(device.url, device);
  };
  const sockets = await Promise.all(interfacesFor(to.address).map((own) => openOn(own, heard)));
  try {
    for (const socket of sockets) socket?.send(probe, to.port, to.address, () => undefined);
    await clock.wait(waitMs);
  } finally {
    for (const socket of sockets) socket?.close();
  }
  return [...found.values()].toSorted((a, b) => a.url.localeCompare(b.url));
}

/** Addresses of ours to ask from. What is asked of this machine alone leaves it by no interface. */
function interfacesFor(address: string): string[] {
  if (address.startsWith('127.')) return ['127.0.0.1'];
  return Object.values(networkInterfaces())
    .flatMap((own) => own ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map((own) => own.address);
}

/** Null where that interface cannot be used. */
function openOn(
  own: string,
  heard: (message: Buffer, from: RemoteInfo) => void,
): Promise<Socket | null> {
  const opened = Promise.withResolvers<Socket | null>();
  const socket = createSocket('udp4');
  // Also later: an interface that goes away while answers are waited for.
  socket.on('error', () => opened.resolve(null));
  socket.on('message', heard);
  socket.bind(0, own, () => {
    socket.setMulticastInterface(own);
    opened.resolve(socket);
  });
  return opened.promise;
}

/** Where the names of vocabularies begin; nothing is fetched there. */
const [w3, soap, onvif] = ['www.w3.org', 'schemas.xmlsoap.org/ws', 'www.onvif.org/ver10'];

const probeOf = (id: string): string => `<?xml version="1.0" encoding="utf-8"?>
<e:Envelope xmlns:e="http://${w3}/2003/05/soap-envelope" xmlns:a="http://${soap}/2004/08/addressing"
 xmlns:d="http://${soap}/2005/04/discovery" xmlns:n="http://${onvif}/network/wsdl">
<e:Header><a:MessageID>${id}</a:MessageID>
<a:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To>
<a:Action>http://${soap}/2005/04/discovery/Probe</a:Action></e:Header>
<e:Body><d:Probe><d:Types>n:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>`;

/** Null for what answers another question, or names an address that is not its own or no camera's. */
export function readAnswer(
  xml: string,
  id: string,
  from: string,
  policy: AddressPolicy,
): FoundDevice | null {
  if (textOf(xml, 'RelatesTo').trim() !== id) return null;
  const url = textOf(xml, 'XAddrs')
    .split(/\s+/, 16)
    .map((text) => URL.parse(text))
    .find((parsed) => parsed !== null && isOwn(parsed, from, policy));
  if (!url) return null;
  const scopes = textOf(xml, 'Scopes').split(/\s+/, 64);
  const scope = (kind: string): string => {
    const start = `onvif://www.onvif.org/${kind}/`;
    const said = scopes.find((text) => text.startsWith(start))?.slice(start.length) ?? '';
    return plainText(decoded(said));
  };
  const [name, hardware, location] = [scope('name'), scope('hardware'), scope('location')];
  return { name, hardware, location, address: from, url: url.href.slice(0, 2048) };
}

function isOwn(url: URL, from: string, policy: AddressPolicy): boolean {
  const to = destinationOf(url, 'http');
  const isBare = url.username === '' && url.password === '';
  return isBare && to?.host === from && isAllowed(from, to.port, policy);
}

/** What stands between the tags of that name, whatever its namespace is called here. */
function textOf(xml: string, name: string): string {
  const [, text = ''] =
    new RegExp(`<(?:[\\w-]{1,40}:)?${name}(?:\\s[^<>]{0,500})?>([^<]{0,8192})<`).exec(xml) ?? [];
  return text;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
