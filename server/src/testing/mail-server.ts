/** A mail server on loopback: keeps what it is given, and misbehaves as `behaviour` says. */
import { listenOnLoopback } from '@nazar/e2e/farm/loopback.ts';
import { SMTPServer } from 'smtp-server';
import type { Smtp } from '#mail/mail.ts';

export interface DeliveredEmail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as they came. */
  readonly raw: string;
  /** The plain text, decoded. */
  readonly text: string;
  readonly html: string;
  header(name: string): string;
}

/** `defer` answers 451, try again later; `reject` 550, never; `drop` takes an email and hangs up before it says so. */
export type MailBehaviour = 'accept' | 'defer' | 'reject' | 'drop';

export interface MailServer extends AsyncDisposable {
  readonly smtp: Smtp;
  readonly delivered: DeliveredEmail[];
  behaviour: MailBehaviour;
  /** The first email from that number on, counted from 0, whose text matches; when it has come. */
  email(from: number, text?: RegExp): Promise<DeliveredEmail>;
}

const refusals: Partial<Record<MailBehaviour, number>> = { defer: 451, reject: 550 };

export async function mailServer(port = 0): Promise<MailServer> {
  let waiting: (() => void)[] = [];
  const server = new SMTPServer({
    // Clients would refuse the package's own certificate, which no authority signed.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onRcptTo({ address }, _session, answer) {
      const responseCode = refusals[box.behaviour];
      if (responseCode === undefined) answer();
      else answer(Object.assign(new Error(`not to ${address}`), { responseCode }));
    },
    onData(stream, { envelope: { mailFrom, rcptTo } }, answer) {
      let raw = '';
      stream.setEncoding('latin1').on('data', (text: string) => (raw += text));
      stream.on('end', () => {
        const from = mailFrom ? mailFrom.address : '';
        const to = rcptTo.map(({ address }) => address);
        box.delivered.push(asDelivered(from, to, raw));
        for (const look of waiting.splice(0)) look();
        if (box.behaviour !== 'drop') answer();
        else for (const connection of server.connections) connection.close();
      });
    },
  });
  // A client that hangs up is no fault of a test.
  server.on('error', () => undefined);
  const smtp = { host: '127.0.0.1', port: 0, isTls: false, mustUpgrade: false, login: null };
  const box: MailServer = {
    smtp: { ...smtp, port: await listenOnLoopback(server.server, port) },
    delivered: [],
    behaviour: 'accept',
    async email(from, text = /(?:)/) {
      for (;;) {
        const email = box.delivered.slice(from).find((one) => text.test(one.text));
        if (email) return email;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    async [Symbol.asyncDispose]() {
      waiting = [];
      await new Promise<void>((resolve) => server.close(resolve));
    },
  };
  return box;
}

function asDelivered(from: string, to: readonly string[], raw: string): DeliveredEmail {
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

/** The part of that type, decoded. */
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
