/** A camera's session description (RFC 4566), with what is private left out: whose it is, where, and what it is called. */
import { addressForm, leftOut } from './left-out.ts';

/** Each of a few streams has ten or so. */
const maxLines = 120;

/** Lines to show. */
export function reportedSdp(sdp: string): string[] {
  const lines = sdp.split(/\r?\n/).filter((line) => line.trim() !== '');
  const reported = lines.slice(0, maxLines).map(reportedLine);
  const more = lines.length - reported.length;
  return more > 0 ? [...reported, `and ${more} other lines`] : reported;
}

function reportedLine(line: string): string {
  const [type, value] = [line.slice(0, 1), line.slice(2)];
  if (line[1] !== '=' || !/^[a-z]$/.test(type)) return leftOut;
  if (type === 'a') return `a=${attributeOf(value.trim())}`;
  const plain = lineForms[type];
  return `${type}=${plain?.exec(value.trim())?.[0] ?? leftOut}`;
}

/** Lines whose value says nothing about a person; of all other lines only the letter is shown. */
const lineForms: Readonly<Record<string, RegExp>> = {
  v: /^\d{1,2}$/,
  t: /^0 0$/,
  b: /^(?:AS|TIAS|RS|RR|CT):\d{1,10}$/,
  m: /^(?:video|audio|application|text|message) \d{1,5}(?:\/\d{1,3})? (?:(?:TCP|UDP|TLS|DTLS)\/)?(?:TLS\/)?RTP\/S?AVPF?(?:\/(?:TCP|UDP))?(?: \d{1,3}){1,8}$/,
};

/** Attributes of which the name is shown, because it says how a stream is sent. */
const namesOnly = /^(?:tool|type|ssrc|ts-refclk|mediaclk|crypto|key-mgmt|rtcp|rtcp-fb|mid|group)$/;

/** Encodings that cameras send (RFC 4855); any other name may be made up. */
const encodings =
  'H26[1345]|H263-(?:1998|2000)|JPEG|MP4V-ES|MPV|MP2T|VP[89]|AV1|MPEG4-GENERIC|MP4A-LATM|MPA|PCM[AU]|G72[2-9](?:-\\d{2})?|L(?:8|16|24)|OPUS|AAC|SPEEX|TELEPHONE-EVENT|VND\\.ONVIF\\.METADATA(?:\\.GZIP|\\.EXI\\.NS|\\.EXI\\.EXT)?|SMPTE336M';

/** Attributes with a value of these forms; of all others not even the name is shown. */
const attributeForms: Readonly<Record<string, RegExp>> = {
  rtpmap: new RegExp(`^\\d{1,3} (?:${encodings})/\\d{1,6}(?:/\\d{1,2})?$`, 'i'),
  framerate: /^\d{1,4}(?:\.\d{1,6})?$/,
  'x-framerate': /^\d{1,4}(?:\.\d{1,6})?$/,
  framesize: /^\d{1,3} \d{1,5}-\d{1,5}$/,
  cliprect: /^\d{1,5}(?:,\d{1,5}){3}$/,
  'x-dimensions': /^\d{1,5},\d{1,5}$/,
  range: /^npt=(?:now|[\d.]{1,12})-(?:[\d.]{1,12})?$/,
  ptime: /^\d{1,5}$/,
  recvonly: /^$/,
  sendonly: /^$/,
  sendrecv: /^$/,
  inactive: /^$/,
};

function attributeOf(text: string): string {
  const [name = ''] = text.split(':', 1);
  const value = text.slice(name.length + 1);
  if (name === 'control') return `control:${addressForm(value)}`;
  if (name === 'fmtp') return `fmtp:${formatOf(value)}`;
  const form = Object.hasOwn(attributeForms, name) ? attributeForms[name] : undefined;
  if (!form) return namesOnly.test(name) ? `${name}:${leftOut}` : leftOut;
  if (form.test(value)) return value === '' ? name : `${name}:${value}`;
  return `${name}:${leftOut}`;
}

const base64 = /^[A-Za-z\d+/=,]{0,2000}$/;
const hexadecimal = /^[\da-f]{0,256}$/i;
const number = /^\d{1,10}$/;

/** Format parameters of RFC 6184, 7798, 3640, 3016 and 6416. */
const formats: Readonly<Record<string, RegExp>> = {
  'packetization-mode': number,
  'profile-level-id': hexadecimal,
  'sprop-parameter-sets': base64,
  'sprop-vps': base64,
  'sprop-sps': base64,
  'sprop-pps': base64,
  'sprop-max-don-diff': number,
  'sprop-interleaving-depth': number,
  'profile-id': number,
  'profile-space': number,
  'tier-flag': number,
  'level-id': number,
  'interop-constraints': hexadecimal,
  'tx-mode': /^[A-Z]{3,4}$/,
  streamtype: number,
  mode: /^(?:AAC-hbr|AAC-lbr|generic)$/i,
  config: hexadecimal,
  sizelength: number,
  indexlength: number,
  indexdeltalength: number,
  constantduration: number,
  object: number,
  cpresent: number,
  bitrate: number,
};

function formatOf(value: string): string {
  const payloadType = /^\d{1,3}(?= )/.exec(value)?.[0];
  if (payloadType === undefined) return leftOut;
  const parts = value
    .slice(payloadType.length)
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.includes('=') ? part.indexOf('=') : part.length;
      const name = part.slice(0, at).trim().toLowerCase();
      const form = Object.hasOwn(formats, name) ? formats[name] : undefined;
      if (!form) return leftOut;
      const said = part.slice(at + 1).trim();
      return `${name}=${form.test(said) ? said : leftOut}`;
    });
  return `${payloadType} ${parts.join(';')}`;
}
