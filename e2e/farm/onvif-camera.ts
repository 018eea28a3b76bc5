/**
 * A scripted ONVIF camera on loopback: answers probes for cameras (WS-Discovery), says what streams it
 * has, and remembers where it was asked to move. Written from the specifications; lies and misbehaves as configured.
 */
import { createHash } from 'node:crypto';
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { closeHttp, listenOnLoopback } from './loopback.ts';

export interface OnvifCameraOptions {
  readonly username?: string;
  readonly password?: string;
  readonly name?: string;
  /** What it says its streams' addresses are. */
  readonly streamUrls?: readonly string[];
  readonly moves?: boolean;
  /** Instead of the answer to that question. */
  readonly instead?: Readonly<Record<string, string>>;
  /** What it says its own address is, when it is asked which cameras there are. */
  readonly claims?: string;
}

const envelope = (body: string): string =>
  `<?xml version="1.0"?><s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"
 xmlns:t="http://www.onvif.org/ver10/schema"><s:Body>${body}</s:Body></s:Envelope>`;

const notAuthorized = envelope(
  `<s:Fault><s:Code><s:Value>s:Sender</s:Value></s:Code>
<s:Reason><s:Text xml:lang="en">Sender not Authorized</s:Text></s:Reason></s:Fault>`,
);

export class OnvifCamera implements AsyncDisposable {
  /** Questions in their order, by name. */
  readonly asked: string[] = [];
  /** Bodies of the requests it received about movements. */
  readonly movements: string[] = [];
  readonly #options: OnvifCameraOptions;
  readonly #server: Server;
  readonly #udp: Socket;
  #port = 0;

  private constructor(options: OnvifCameraOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#serve(request, response));
    this.#udp = createSocket('udp4');
    this.#udp.on('message', (message, { port, address }) => {
      const id = /MessageID>([^<]+)</.exec(message.toString())?.[1] ?? '';
      this.#udp.send(this.#match(id), port, address);
    });
  }

  static async start(options: OnvifCameraOptions = {}): Promise<OnvifCamera> {
    const camera = new OnvifCamera(options);
    camera.#udp.bind(0, '127.0.0.1');
    const listening = once(camera.#udp, 'listening');
    [camera.#port] = await Promise.all([listenOnLoopback(camera.#server), listening]);
    return camera;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/onvif/device_service`;
  }

  /** Where it receives probes for cameras. */
  get listensAt(): { address: string; port: number } {
    return { address: '127.0.0.1', port: this.#udp.address().port };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#udp.close();
    await closeHttp(this.#server);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const [, question = ''] = /<(?:\w+:)?Body[^>]*>\s*<(?:\w+:)?(\w+)/.exec(text) ?? [];
    this.asked.push(question);
    const isOpen = question === 'GetSystemDateAndTime' || this.#isKnown(text);
    const answer = isOpen ? this.#answer(question, text) : notAuthorized;
    response.writeHead(isOpen ? 200 : 400, { 'content-type': 'application/soap+xml' });
    response.end(answer);
  }

  /** WS-Security UsernameToken 1.0: SHA-1 over nonce, time and password. */
  #isKnown(text: string): boolean {
    const { username, password = '' } = this.#options;
    if (username === undefined) return true;
    const said = (tag: string): string =>
      new RegExp(`<${tag}(?:\\s[^>]*)?>([^<]*)<`).exec(text)?.[1] ?? '';
    const created = said('Created');
    const late = Math.abs(Date.parse(created) - Date.now()) > 60_000;
    const digest = createHash('sha1')
      .update(
        Buffer.concat([Buffer.from(said('Nonce'), 'base64'), Buffer.from(created + password)]),
      )
      .digest('base64');
    return !late && said('Username') === username && said('Password') === digest;
  }

  #answer(question: string, text: string): string {
    const { instead = {}, streamUrls = [], moves = false } = this.#options;
    const given = instead[question];
    if (given !== undefined) return given;
    switch (question) {
      case 'GetSystemDateAndTime':
        return envelope(this.#time());
      case 'GetServices':
        return envelope(
          `<GetServicesResponse>${['device', 'media', ...(moves ? ['ptz'] : [])]
            .map((name) => this.#service(name))
            .join('')}</GetServicesResponse>`,
        );
      case 'GetProfiles':
        return envelope(
          `<GetProfilesResponse>${streamUrls.map((_, at) => profile(at, moves)).join('')}</GetProfilesResponse>`,
        );
      case 'GetStreamUri': {
        const at = Number(/ProfileToken>profile_(\d+)</.exec(text)?.[1] ?? 0);
        return envelope(
          `<GetStreamUriResponse><MediaUri><t:Uri>${streamUrls[at]}</t:Uri></MediaUri></GetStreamUriResponse>`,
        );
      }
      case 'GetDeviceInformation':
        return envelope(
          `<GetDeviceInformationResponse><Manufacturer>Acme</Manufacturer><Model>${this.#options.name ?? 'Dome 1'}</Model></GetDeviceInformationResponse>`,
        );
      case 'GetPresets':
        return envelope(
          `<GetPresetsResponse><Preset token="1"><t:Name>Door</t:Name></Preset><Preset token="2"><t:Name>Yard</t:Name></Preset></GetPresetsResponse>`,
        );
      default:
        this.movements.push(text.slice(text.indexOf('<s:Body')));
        return envelope(`<${question}Response/>`);
    }
  }

  #service(name: string): string {
    const version = name === 'ptz' ? 'ver20' : 'ver10';
    return `<Service><Namespace>http://www.onvif.org/${version}/${name}/wsdl</Namespace>
<XAddr>http://10.9.9.9/onvif/${name}</XAddr><Version><t:Major>2</t:Major><t:Minor>0</t:Minor></Version></Service>`;
  }

  #time(): string {
    const now = new Date();
    const time = `<t:Time><t:Hour>${now.getUTCHours()}</t:Hour><t:Minute>${now.getUTCMinutes()}</t:Minute><t:Second>${now.getUTCSeconds()}</t:Second></t:Time>`;
    const date = `<t:Date><t:Year>${now.getUTCFullYear()}</t:Year><t:Month>${now.getUTCMonth() + 1}</t:Month><t:Day>${now.getUTCDate()}</t:Day></t:Date>`;
    return `<GetSystemDateAndTimeResponse><SystemDateAndTime><t:UTCDateTime>${time}${date}</t:UTCDateTime></SystemDateAndTime></GetSystemDateAndTimeResponse>`;
  }

  #match(id: string): string {
    const { name = 'Dome%201', claims = this.url } = this.#options;
    return `<?xml version="1.0"?><e:Envelope xmlns:e="http://www.w3.org/2003/05/soap-envelope"
 xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery">
<e:Header><a:RelatesTo>${id}</a:RelatesTo></e:Header><e:Body><d:ProbeMatches><d:ProbeMatch>
<d:Scopes>onvif://www.onvif.org/name/${name} onvif://www.onvif.org/hardware/D1 onvif://www.onvif.org/location/Yard</d:Scopes>
<d:XAddrs>${claims}</d:XAddrs></d:ProbeMatch></d:ProbeMatches></e:Body></e:Envelope>`;
  }
}

function profile(at: number, moves: boolean): string {
  const [width, height] = at === 0 ? [1920, 1080] : [640, 360];
  const ptz = moves
    ? '<t:PTZConfiguration token="ptz"><t:Name>ptz</t:Name></t:PTZConfiguration>'
    : '';
  return `<Profiles token="profile_${at}"><t:Name>Stream ${at}</t:Name>
<t:VideoSourceConfiguration token="source"><t:SourceToken>source</t:SourceToken></t:VideoSourceConfiguration>
<t:VideoEncoderConfiguration token="encoder_${at}"><t:Encoding>H264</t:Encoding>
<t:Resolution><t:Width>${width}</t:Width><t:Height>${height}</t:Height></t:Resolution>
<t:RateControl><t:FrameRateLimit>25</t:FrameRateLimit></t:RateControl></t:VideoEncoderConfiguration>${ptz}</Profiles>`;
}
