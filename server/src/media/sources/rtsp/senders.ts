/**
 * Whose packets are taken: some cameras go on sending a session that is over on the connection of the next one, with a
 * sender number (SSRC) of its own. Others change theirs with each group of pictures.
 */

/** Two senders that come in turns shorter than this are two sessions; the other takes over after so many packets. */
const shortTurn = 8;

export class Senders {
  #present: number | null = null;
  /** Whom the present one followed. */
  #former: number | null = null;
  /** Packets of the present sender since it began, and of the other one since then. */
  #accepted = 0;
  #others = 0;
  #areTwo = false;

  /** Whether the packet of that sender is one of the pictures. */
  isAccepted(sender: number): boolean {
    this.#present ??= sender;
    if (sender === this.#present) {
      this.#accepted += 1;
      this.#others = 0;
      return true;
    }
    this.#areTwo ||= sender === this.#former && this.#accepted < shortTurn;
    this.#others += 1;
    if (this.#areTwo && this.#others < shortTurn) return false;
    [this.#former, this.#present] = [this.#present, sender];
    [this.#accepted, this.#others] = [1, 0];
    return true;
  }
}
