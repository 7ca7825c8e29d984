import { styleText } from 'node:util';

/** A step that all later ones need has failed; the report has counted and printed it. */
export class Halted extends Error {}

/** Counts and prints each proof as it ends; `.ci/run` reads the closing line. */
export class Report {
  private passed = 0;
  private failed = 0;
  private readonly started = performance.now();

  /** Proves one fact; later ones are tried even if it fails. */
  prove(title: string, attempt: () => Promise<unknown>): Promise<void> {
    return this.goOn(() => this.need(title, attempt));
  }

  /** Proves facts that need each other; later ones are tried even if they halt. */
  async goOn(attempt: () => Promise<unknown>): Promise<void> {
    await attempt().catch((fault: unknown) => {
      if (!(fault instanceof Halted)) throw fault;
    });
  }

  /** Names one fact that an emulator does not carry, and why; that it does after all is a failure. */
  async miss(
    title: string,
    { why, attempt }: { why: string; attempt: () => Promise<unknown> },
  ): Promise<void> {
    const isCarried = await attempt().then(
      () => true,
      () => false,
    );
    if (isCarried) return this.abandon(`${title}: it is carried now, so it is not to be named as missing`);
    console.log(`  ${styleText('yellow', 'not')}     ${title}: ${why}`);
  }

  /** Proves one fact that later ones need. */
  async need<Value>(title: string, attempt: () => Promise<Value>): Promise<Value> {
    const started = performance.now();
    try {
      const value = await attempt();
      this.passed += 1;
      console.log(`  ${styleText('green', 'ok')}      ${title} (${seconds(started)})`);
      return value;
    } catch (fault) {
      this.failed += 1;
      console.log(
        `  ${styleText('red', 'FAILED')}  ${title} (${seconds(started)})\n${indented(sentenceOf(fault))}`,
      );
      throw new Halted(title);
    }
  }

  /** Prints what happens next and may take a while. */
  announce(text: string): void {
    console.log(`${seconds(this.started).padStart(7)}  ${text}`);
  }

  /** Prints the counts; true when nothing failed. */
  close(): boolean {
    if (this.passed + this.failed === 0) this.failed = 1;
    console.log(`${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0;
  }

  /** Counts a failure when something ends the run from outside. */
  abandon(reason: string): void {
    this.failed += 1;
    console.log(`  ${styleText('red', 'FAILED')}  ${reason}`);
  }
}

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const sentenceOf = (fault: unknown) => (fault instanceof Error ? fault.message : String(fault));

const indented = (text: string) => text.replaceAll(/^/gm, '          ');
