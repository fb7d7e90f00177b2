import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What the program wrote into its log. */
export interface LogLine {
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

const program = fileURLToPath(new URL('../../bundle/bin/proa.js', import.meta.url))
const probe = new URL('./process-probe.js', import.meta.url).href
export const adminToken = 'administrator-of-this-trial'

/** `proa apiserver` in a process of its own, which may be killed and started again over the same data. */
export class ServerProcess {
  /** Everything that it has logged, over all its lives. */
  readonly log: LogLine[] = []
  readonly #folder: string
  #child: ChildProcess | undefined
  #port = 0

  /** Its data will be in `folder`. */
  constructor(folder: string) {
    this.#folder = folder
  }

  get url(): string {
    return `https://127.0.0.1:${this.#port}`
  }

  /** The same one over all its lives. */
  get port(): number {
    return this.#port
  }

  /** Undefined while it runs. */
  get exitCode(): number | string | undefined {
    return this.#child?.exitCode ?? this.#child?.signalCode ?? undefined
  }

  /** Resolves when it serves. */
  async start(): Promise<void> {
    this.#port ||= await freePort()
    const child = spawn(process.execPath, ['--expose-gc', '--import', probe, program, 'apiserver', ...this.#flags()], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#child = child
    child.stderr!.setEncoding('utf8')
    eachLine(child.stderr!, (line) => this.log.push(readLog(line)))
    child.stdout!.setEncoding('utf8')
    await new Promise<void>((resolve, reject) => {
      eachLine(child.stdout!, (line) => line.includes(' serves on ') && resolve())
      child.once('exit', (code) =>
        reject(new Error(`the server ended with ${code} before it served:\n${JSON.stringify(this.log)}`)),
      )
    })
  }

  #flags(): string[] {
    mkdirSync(this.#folder, { recursive: true })
    const tokens = join(this.#folder, 'tokens.csv')
    writeFileSync(tokens, `${adminToken},administrator,1,"system:masters"\n`, { mode: 0o600 })
    const data = join(this.#folder, 'data')
    return [
      `--data-dir=${data}`,
      `--secure-port=${this.#port}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=192.0.2.1',
      `--token-auth-file=${tokens}`,
    ]
  }

  /** Megabytes of live objects, after a collection. */
  async liveMemory(): Promise<number> {
    return ((await this.#asked('memory')) as number) / 2 ** 20
  }

  /** Names that every object in the process has inherited since the start. */
  async pollution(): Promise<readonly string[]> {
    return (await this.#asked('pollution')) as readonly string[]
  }

  async #asked(question: string): Promise<unknown> {
    const child = this.#child!
    const answered = once(child, 'message')
    child.send(question)
    const [answer] = await answered
    return answer
  }

  /** Asks it to end (`SIGTERM`), or ends it (`SIGKILL`); resolves when it is gone. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (!child || this.exitCode !== undefined) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function eachLine(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = ''
  stream.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!
    for (const line of lines) take(line)
  })
}

/** Node itself also writes there, and not in JSON, when it dies. */
function readLog(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine
  } catch {
    return { level: 'error', message: line }
  }
}
