/** A stream of JPEGs as the server sends it, and a browser that can decode them. */
import { vi } from 'vitest';

const encoder = new TextEncoder();
const part = (jpeg: string): string =>
  `Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\n\r\n${jpeg}\r\n--frame\r\n`;

/** `endless`: it stays open after these. */
export function pictureStream(jpegs: readonly string[], { endless = false } = {}): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(`--frame\r\n${jpegs.map(part).join('')}`));
      if (!endless) controller.close();
    },
  });
  const headers = { 'Content-Type': 'multipart/x-mixed-replace; boundary=frame' };
  return new Response(body, { headers });
}

/** Returns the sizes in bytes of what is decoded from now on. */
export function fakeBitmaps(): number[] {
  const decoded: number[] = [];
  vi.stubGlobal('createImageBitmap', (blob: Blob) => {
    decoded.push(blob.size);
    return Promise.resolve({ width: 640, height: 360, close: () => undefined });
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({
    drawImage: () => undefined,
  } as unknown as null);
  return decoded;
}
