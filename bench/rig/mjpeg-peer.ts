/**
 * The peer of the live view: the same RTSP stream decoded and sent as multipart JPEG to an `<img>`, as small
 * camera servers do it. A process of its own, so that its processor time is its own. Prints its address.
 *
 *   node mjpeg-peer.ts rtsp://...
 */
import { createServer, type ServerResponse } from 'node:http';
import { SWS_FAST_BILINEAR } from 'node-av/constants';
import { Scaler } from 'node-av/api';
import { Codec, CodecContext, Dictionary, FormatContext, Frame, Packet } from 'node-av/lib';

const boundary = 'picture';
const jpegQuality = 75;
/** A viewer with more than this waiting misses a picture. */
const maxWaitingBytes = 500_000;
const page =
  '<!doctype html><body style="margin:0"><img src="/stream" width="1280" height="720"></body>';

const viewers = new Set<ServerResponse>();

const server = createServer((request, reply) => {
  if (request.url !== '/stream') {
    reply.setHeader('content-type', 'text/html').end(page);
    return;
  }
  reply.writeHead(200, { 'content-type': `multipart/x-mixed-replace; boundary=${boundary}` });
  reply.socket?.setNoDelay(true);
  viewers.add(reply);
  reply.on('close', () => viewers.delete(reply));
});

const rtspOptions = {
  rtsp_transport: 'tcp',
  fflags: 'nobuffer',
  flags: 'low_delay',
  analyzeduration: 500_000,
  probesize: 500_000,
};

async function open(url: string): Promise<FormatContext> {
  const input = new FormatContext();
  input.allocContext();
  using options = Dictionary.fromObject(rtspOptions);
  if ((await input.openInput(url, null, options)) < 0) throw new Error(`${url} does not open`);
  await input.findStreamInfo(null);
  return input;
}

async function send(input: FormatContext): Promise<void> {
  const stream = input.streams[0];
  const codec = stream && Codec.findDecoder(stream.codecpar.codecId);
  if (!stream || !codec) throw new Error('no video');
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.parametersToContext(stream.codecpar);
  decoder.threadCount = 1;
  decoder.setOption('flags', '+low_delay');
  await decoder.open2(codec, null);
  const scaler = new Scaler({ flags: SWS_FAST_BILINEAR });
  using packet = new Packet();
  packet.alloc();
  using frame = new Frame();
  frame.alloc();
  let waitsForKey = true;
  while ((await input.readFrame(packet)) >= 0) {
    // Pictures without a viewer cost nothing; the next viewer waits for a key frame.
    if (viewers.size === 0) waitsForKey = true;
    else if (packet.isKeyframe) waitsForKey = false;
    if (!waitsForKey && (await decoder.sendPacket(packet)) >= 0) {
      while ((await decoder.receiveFrame(frame)) >= 0) {
        frame.timeBase = stream.timeBase;
        show(await scaler.toJpeg(frame, { quality: jpegQuality }));
        frame.unref();
      }
    }
    packet.unref();
  }
}

function show(jpeg: Buffer): void {
  const head = `--${boundary}\r\nContent-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n`;
  for (const viewer of viewers) {
    if (viewer.writableLength > maxWaitingBytes) continue;
    viewer.cork();
    viewer.write(head);
    viewer.write(jpeg);
    viewer.write('\r\n');
    viewer.uncork();
  }
}

const [, , url = ''] = process.argv;
const input = await open(url);
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  process.stdout.write(`http://127.0.0.1:${port}/\n`);
});
await send(input);
