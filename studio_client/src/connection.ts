// Messages to and from the server: requests have a number, which the answer repeats; events have none.

import { counts } from "./counts.ts";
import type { Answer, Request } from "./protocol.ts";

/** Numbers that are none stand as null in a message, which has no other use for it than to have no answer. */
const notFinite = (key: string, value: unknown) => (value === null && key !== "message" ? NaN : value);

type Listener = (message: Answer) => void;

export class Connection {
  private socket: WebSocket;
  private waiting = new Map<number, (answer: Answer | null) => void>();
  private last = 0;
  private listener: Listener;
  private ended: () => void;

  constructor(listener: Listener, ended: () => void) {
    this.listener = listener;
    this.ended = ended;
    this.socket = new WebSocket(`ws://${location.host}/messages`);
    this.socket.onmessage = (event) => this.received(event.data as string);
    this.socket.onclose = () => this.ended();
  }

  opened(): Promise<void> {
    return new Promise((done) => {
      this.socket.onopen = () => done();
    });
  }

  /** The answer to a request; null where there is nothing to say but that it was done. */
  ask(request: Request): Promise<Answer | null> {
    const number = ++this.last;
    this.socket.send(JSON.stringify({ number, request }));
    return new Promise((done) => this.waiting.set(number, done));
  }

  private received(text: string): void {
    counts.messages++;
    counts.letters += text.length;
    const { to, message } = JSON.parse(text, text.includes("null") ? notFinite : undefined) as { to: number; message: Answer | null };
    const waiting = this.waiting.get(to);
    this.waiting.delete(to);
    if (message !== null) this.listener(message);
    if (waiting) waiting(message);
  }
}
