/** The other end of a WebSocket in a test's hands: what was sent, and what to receive next. */
export class FakeSocket extends EventTarget {
  /** Every socket opened in this test, oldest first. */
  static readonly opened: FakeSocket[] = [];

  readonly url: string;
  readonly sent: string[] = [];
  closed = false;

  constructor(url: string | URL) {
    super();
    this.url = String(url);
    FakeSocket.opened.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.closed = true;
  }

  accept(): void {
    this.dispatchEvent(new Event('open'));
  }

  receive(message: unknown): void {
    this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(message) }));
  }

  drop(code = 1006): void {
    this.dispatchEvent(new CloseEvent('close', { code }));
  }
}
