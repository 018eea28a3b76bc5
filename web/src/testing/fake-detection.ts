/** The stream of drawn pictures as a server sends it, piece by piece. */
export interface FakeStream {
  readonly response: Response;
  readonly send: (text: string) => void;
  /** As a server that goes. */
  readonly end: () => void;
  /** As a line that is cut. */
  readonly break: () => void;
}

export const aJpegPart = (text: string): string =>
  `Content-Type: image/jpeg\r\nContent-Length: ${text.length}\r\n\r\n${text}\r\n--frame\r\n`;

export function streamAnswer(): FakeStream {
  let control!: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (control = given) });
  const send = (text: string): void => control.enqueue(new TextEncoder().encode(text));
  send('--frame\r\n');
  return {
    response: new Response(body, {
      headers: { 'Content-Type': 'multipart/x-mixed-replace; boundary=frame' },
    }),
    send,
    end: () => control.close(),
    break: () => control.error(new TypeError('network error')),
  };
}
