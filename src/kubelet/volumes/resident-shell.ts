import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

/** A command failed. The message contains its output. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
}

interface PendingCommand {
  readonly resolve: (output: string) => void
  readonly reject: (error: Error) => void
  readonly command: readonly string[]
}

/**
 * Runs small commands in a long-lived shell. Forking from this large process takes three times as long and blocks it. Commands run one
 * after the other. The shell exits with this process, because its input ends then.
 */
export class ResidentShell {
  #shell: ChildProcessWithoutNullStreams | undefined
  #output = ''
  /** In the order of the commands, which is the order of the results. */
  readonly #pending: PendingCommand[] = []

  /** Resolves with the output of the command. Rejects with a `CommandError` if it fails. */
  run(command: readonly string[]): Promise<string> {
    const shell = this.#started()
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject, command })
      this.#keepAlive(shell)
      // Marks the end of the output with a line that no command writes.
      shell.stdin.write(`${command.map(quoted).join(' ')} </dev/null 2>&1; printf '\\n%s %d\\n' '${endMark}' $?\n`)
    })
  }

  /** Closes the shell after the pending commands. */
  close(): void {
    this.#shell?.stdin.end()
    this.#shell = undefined
  }

  #started(): ChildProcessWithoutNullStreams {
    if (this.#shell) return this.#shell
    const shell = spawn('/bin/sh', [], { stdio: 'pipe', env: { PATH: searchPath, LC_ALL: 'C' } })
    this.#shell = shell
    this.#output = ''
    shell.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    shell.stdin.on('error', () => {}) // `close` reports the end of the shell
    shell.once('error', (error) => this.#end(shell, error))
    shell.once('close', () => this.#end(shell, new CommandError('the shell that runs commands ended')))
    return shell
  }

  #read(text: string): void {
    this.#output += text
    for (;;) {
      const end = endLine.exec(this.#output)
      if (!end) return
      const text = this.#output.slice(0, end.index)
      this.#output = this.#output.slice(end.index + end[0].length)
      this.#finish(text, Number(end[1]))
    }
  }

  #finish(text: string, code: number): void {
    const pending = this.#pending.shift()
    if (this.#shell) this.#keepAlive(this.#shell)
    if (code === 0) pending?.resolve(text)
    else pending?.reject(new CommandError(`${pending.command[0]} failed: exit status ${code}: ${text.trim()}`))
  }

  #end(shell: ChildProcessWithoutNullStreams, error: Error): void {
    if (this.#shell === shell) this.#shell = undefined
    for (const { reject } of this.#pending.splice(0)) reject(error)
  }

  /** The process may exit while no command is pending. */
  #keepAlive(shell: ChildProcessWithoutNullStreams): void {
    const change = this.#pending.length > 0 ? 'ref' : 'unref'
    shell[change]()
    for (const stream of [shell.stdin, shell.stdout, shell.stderr]) {
      const handle = stream as unknown as { ref?(): void; unref?(): void } // they are sockets
      handle[change]?.()
    }
  }
}

const endMark = '#proa: exit'
const endLine = new RegExp(`\\n${endMark} (\\d+)\\n`)
const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`
}
