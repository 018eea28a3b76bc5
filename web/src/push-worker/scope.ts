/** What this worker uses of its surroundings: the types of the pages have no service workers. */
export interface ShownNotification {
  readonly tag: string;
  readonly data: unknown;
  close(): void;
}

/** What browsers know beside `NotificationOptions` of the pages. */
export interface WorkerNotificationOptions extends NotificationOptions {
  readonly renotify?: boolean;
  readonly timestamp?: number;
  readonly image?: string;
  readonly actions?: readonly { readonly action: string; readonly title: string }[];
}

export interface OpenWindow {
  readonly url: string;
  focus(): Promise<OpenWindow>;
  navigate(url: string): Promise<OpenWindow | null>;
}

interface WaitingEvent {
  waitUntil(work: Promise<unknown>): void;
}

export interface PushEvent extends WaitingEvent {
  readonly data: { text(): string } | null;
}

export interface ClickEvent extends WaitingEvent {
  readonly notification: ShownNotification;
  /** Empty: the notification itself was pressed. */
  readonly action: string;
}

export interface WorkerScope {
  readonly registration: {
    showNotification(title: string, options: WorkerNotificationOptions): Promise<void>;
  };
  readonly clients: {
    matchAll(asked: {
      readonly type: 'window';
      readonly includeUncontrolled: boolean;
    }): Promise<readonly OpenWindow[]>;
    openWindow(url: string): Promise<unknown>;
  };
  readonly location: { readonly origin: string };
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: ClickEvent) => void): void;
}
