/**
 * Discovers ONVIF cameras on this network (WS-Discovery 1.0): sends one probe on every interface and collects answers
 * for a few seconds. Answers are not trusted: only three texts are read, by their tags, and an address counts only
 * when the answer came from it. Runs in a media worker, and only when an administrator asks.
 */
import { randomUUID } from 'node:crypto';
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { networkInterfaces } from 'node:os';
import type { Clock } from '#lib/clock.ts';
import { isAllowed, type AddressPolicy } from '../../protocol/address-policy.ts';
import { destinationOf } from '../../sources/dial/dial.ts';
import { plainText } from './plain-text.ts';

export interface FoundDevice {
  readonly name: string;
  readonly hardware: string;
  readonly location: string;
  readonly address: string;
  /** The address of its device service, for further requests. */
  readonly url: string;
}

export interface DiscoveryOptions {
  readonly policy: AddressPolicy;
  /** Where the probe goes; in tests a camera on this machine instead of the multicast group. */
  readonly to: { readonly address: string; readonly port: number };
  readonly waitMs: number;
  readonly clock: Clock;
}

/** Bounds on devices and answers: a flood of answers does not come from cameras. */
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
  const received = (message: Buffer, { address }: RemoteInfo): void => {
    answers += 1;
    if (answers > maxAnswers || found.size >= maxDevices) return;
    const device = readAnswer(message.toString('utf8'), id, address, policy);
    if (device) found.set(device.url, device);
  };
  const sockets = await Promise.all(interfacesFor(to.address).map((own) => openOn(own, received)));
  try {
    for (const socket of sockets) socket?.send(probe, to.port, to.address, () => undefined);
    await clock.wait(waitMs);
  } finally {
    for (const socket of sockets) socket?.close();
  }
  return [...found.values()].toSorted((a, b) => a.url.localeCompare(b.url));
}

/** The own addresses to send from. A probe to loopback leaves this machine by no interface. */
function interfacesFor(address: string): string[] {
  if (address.startsWith('127.')) return ['127.0.0.1'];
  return Object.values(networkInterfaces())
    .flatMap((own) => own ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map((own) => own.address);
}

/** Null where the interface cannot be used. */
function openOn(
  own: string,
  received: (message: Buffer, from: RemoteInfo) => void,
): Promise<Socket | null> {
  const opened = Promise.withResolvers<Socket | null>();
  const socket = createSocket('udp4');
  // Errors may also come later, from an interface that goes away while answers are awaited.
  socket.on('error', () => opened.resolve(null));
  socket.on('message', received);
  socket.bind(0, own, () => {
    socket.setMulticastInterface(own);
    opened.resolve(socket);
  });
  return opened.promise;
}

/** Parts of XML namespaces; nothing is fetched from there. */
const [w3, soap, onvif] = ['www.w3.org', 'schemas.xmlsoap.org/ws', 'www.onvif.org/ver10'];

const probeOf = (id: string): string => `<?xml version="1.0" encoding="utf-8"?>
<e:Envelope xmlns:e="http://${w3}/2003/05/soap-envelope" xmlns:a="http://${soap}/2004/08/addressing"
 xmlns:d="http://${soap}/2005/04/discovery" xmlns:n="http://${onvif}/network/wsdl">
<e:Header><a:MessageID>${id}</a:MessageID>
<a:To>urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To>
<a:Action>http://${soap}/2005/04/discovery/Probe</a:Action></e:Header>
<e:Body><d:Probe><d:Types>n:NetworkVideoTransmitter</d:Types></d:Probe></e:Body></e:Envelope>`;

/** Null for an answer to another probe, and for an address that is not its own or never a camera. */
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

/** The text of the element with that name, whatever its namespace prefix is. */
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
