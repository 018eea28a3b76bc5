/** A mail server on loopback: keeps what it is given, and misbehaves when told to. */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { Smtp } from '#mail/mail.ts';

export interface Delivered {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came: headers and body. */
  readonly raw: string;
  /** The plain text, decoded. */
  readonly text: string;
  readonly html: string;
  header(name: string): string;
}

/**
 * refuse: 451, try again later · refuseForGood: 550 · hangUp: takes the letter and is gone before it says so.
 */
export type Manner = 'take' | 'refuse' | 'refuseForGood' | 'hangUp';

export interface MailServer extends AsyncDisposable {
  readonly smtp: Smtp;
  readonly port: number;
  readonly delivered: Delivered[];
  manner: Manner;
  /** The first letter from that number on, counted from 0, that says so; when it has come. */
  letter(from: number, says?: RegExp): Promise<Delivered>;
}

export async function mailServer(port = 0): Promise<MailServer> {
  const delivered: Delivered[] = [];
  const sockets = new Set<Socket>();
  let heard: (() => void)[] = [];
  const state: { manner: Manner } = { manner: 'take' };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    converse(
      socket,
      () => state.manner,
      (letter) => {
        delivered.push(letter);
        for (const tell of heard.splice(0)) tell();
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const bound = (server.address() as AddressInfo).port;
  return {
    smtp: { host: '127.0.0.1', port: bound, isTls: false, mustUpgrade: false, login: null },
    port: bound,
    delivered,
    get manner() {
      return state.manner;
    },
    set manner(manner) {
      state.manner = manner;
    },
    async letter(from, says = /(?:)/) {
      for (;;) {
        const letter = delivered.slice(from).find(({ text }) => says.test(text));
        if (letter) return letter;
        await new Promise<void>((resolve) => heard.push(resolve));
      }
    },
    async [Symbol.asyncDispose]() {
      heard = [];
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function converse(
  socket: Socket,
  mannerNow: () => Manner,
  keep: (letter: Delivered) => void,
): void {
  let from = '';
  let to: string[] = [];
  let data: string[] | null = null;
  let rest = '';
  const say = (line: string): void => void socket.write(`${line}\r\n`);
  const command = (line: string): void => {
    const verb = line.slice(0, 4).toUpperCase();
    const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
    if (verb === 'EHLO' || verb === 'HELO') say('250 test');
    else if (verb === 'MAIL') {
      [from, to] = [address, []];
      say('250 ok');
    } else if (verb === 'RCPT') {
      const manner = mannerNow();
      if (manner === 'refuse') say(`451 ${address} not now`);
      else if (manner === 'refuseForGood') say(`550 no such box ${address}`);
      else {
        to.push(address);
        say('250 ok');
      }
    } else if (verb === 'DATA') {
      data = [];
      say('354 go on');
    } else if (verb === 'QUIT') {
      say('221 bye');
      socket.end();
    } else say('250 ok');
  };
  say('220 test');
  socket.on('data', (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (data === null) command(line);
      else if (line !== '.') data.push(line.startsWith('..') ? line.slice(1) : line);
      else {
        keep(asDelivered(from, to, data.join('\r\n')));
        data = null;
        if (mannerNow() === 'hangUp') socket.destroy();
        else say('250 taken');
      }
    }
  });
}

function asDelivered(from: string, to: readonly string[], raw: string): Delivered {
  return {
    from,
    to,
    raw,
    text: part(raw, 'text/plain'),
    html: part(raw, 'text/html'),
    header: (name) => headerOf(raw, name),
  };
}

function headerOf(raw: string, name: string): string {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const unfolded = head.replace(/\r\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)$`, 'im').exec(unfolded)?.[1] ?? '';
}

/** Of the parts of a letter the one of that type, decoded. */
function part(raw: string, type: string): string {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? '';
  const found = raw.split(`--${boundary}`).find((piece) => piece.includes(`Content-Type: ${type}`));
  const [head = '', ...body] = (found ?? '').split('\r\n\r\n');
  const text = body.join('\r\n\r\n').trimEnd();
  if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString('utf8');
  if (!/quoted-printable/i.test(head)) return Buffer.from(text, 'latin1').toString('utf8');
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n');
}
