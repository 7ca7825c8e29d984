import { styleText } from 'node:util';

/** A step without which the rest has nothing to stand on has failed; it is already counted and told. */
export class Halted extends Error {}

/** Counts what was proved and tells each proof as it ends; the closing line is the one that `.ci/run` reads. */
export class Report {
  private passed = 0;
  private failed = 0;
  private readonly started = performance.now();

  /** Proves one fact; the following ones are tried all the same. */
  async prove(title: string, attempt: () => Promise<unknown>): Promise<void> {
    await this.need(title, attempt).catch((fault: unknown) => {
      if (!(fault instanceof Halted)) throw fault;
    });
  }

  /** Proves one fact that the following ones rest on. */
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

  /** What is about to happen and may take a while. */
  announce(text: string): void {
    console.log(`${seconds(this.started).padStart(7)}  ${text}`);
  }

  /** Whether all is proved. */
  close(): boolean {
    if (this.passed + this.failed === 0) this.failed = 1;
    console.log(`${this.passed} passed, ${this.failed} failed`);
    return this.failed === 0;
  }

  /** Something ended the run from outside: what was not tried is not proved. */
  abandon(reason: string): void {
    this.failed += 1;
    console.log(`  ${styleText('red', 'FAILED')}  ${reason}`);
  }
}

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const sentenceOf = (fault: unknown) => (fault instanceof Error ? fault.message : String(fault));

const indented = (text: string) => text.replaceAll(/^/gm, '          ');
