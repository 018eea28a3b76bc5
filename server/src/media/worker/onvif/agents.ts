/**
 * The only way of the ONVIF library to a device: its requests are dialled by our own address policy, and
 * an answer that is too long ends its connection. Runs in a media worker.
 */
import { Agent as HttpAgent, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { dial, type Destination, type Dialer } from '../../sources/dial/dial.ts';

/** The longest known answer of a device has 40 kB. */
const maxAnswerBytes = 1024 * 1024;

type Connected = (error: Error | null, stream: Duplex) => void;

export interface Reach {
  readonly to: Destination;
  readonly dialer: Dialer;
  readonly signal: AbortSignal;
}

export function agentFor(reach: Reach): HttpAgent {
  return reach.to.tls ? new DialledTls(reach) : new Dialled(reach);
}

class Dialled extends HttpAgent {
  readonly #reach: Reach;

  constructor(reach: Reach) {
    super();
    this.#reach = reach;
  }

  override createConnection(_options: ClientRequestArgs, connected?: Connected): undefined {
    connectBy(this.#reach, connected);
  }
}

class DialledTls extends HttpsAgent {
  readonly #reach: Reach;

  constructor(reach: Reach) {
    super();
    this.#reach = reach;
  }

  override createConnection(_options: ClientRequestArgs, connected?: Connected): undefined {
    connectBy(this.#reach, connected);
  }
}

/** Connects to the one host and port that were asked for, whatever the library wants. */
function connectBy({ to, dialer, signal }: Reach, connected?: Connected): void {
  const opened = async (): Promise<void> => {
    try {
      const socket = await dial(to, dialer, signal);
      let bytes = 0;
      socket.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxAnswerBytes) socket.destroy(new Error('an answer is too long'));
      });
      connected?.(null, socket);
    } catch (error) {
      // Node's types want a stream beside an error; there is none.
      connected?.(error as Error, undefined as unknown as Duplex);
    }
  };
  void opened();
}
