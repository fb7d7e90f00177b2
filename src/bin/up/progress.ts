/** Prints the progress of `up`: one line for each part that runs, and at a terminal what `up` waits for. */
export class Progress {
  readonly #output: ProgressOutput
  #isWaiting = false

  constructor(output: ProgressOutput = process.stdout) {
    this.#output = output
  }

  /** Shows at a terminal what the command waits for, until the next line. */
  waitFor(what: string): void {
    if (!this.#output.isTTY) return
    this.#output.write(`\r\u001b[K  ${what} …`)
    this.#isWaiting = true
  }

  /** Prints a line such as `control plane   https://127.0.0.1:6443`. */
  report(what: string, text: string): void {
    this.print(`  ${what.padEnd(15)} ${text}`)
  }

  print(line: string): void {
    this.#output.write(`${this.#isWaiting ? '\r\u001b[K' : ''}${line}\n`)
    this.#isWaiting = false
  }
}

export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}
