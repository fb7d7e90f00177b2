import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Entrance } from './api-server.js'
import { eachLine, type LogLine, logLine } from './process-log.js'
import { adminToken, type TestFolder, testFolder } from './test-folder.js'

const program = fileURLToPath(new URL('../../bundle/bin/proa.js', import.meta.url))
const probe = new URL('./process-probe.js', import.meta.url).href

export interface ApiServerProcessOptions {
  /** Of `proa apiserver`, beyond what a test always needs. */
  readonly flags?: readonly string[]
  /** Where its data is, also after `close`; a temporary folder, which `close` removes, unless told. */
  readonly folder?: string
  /** Further tokens, as lines of a token file: `token,user,uid,"group1,group2"`. */
  readonly tokens?: readonly string[]
  /** Whether it can be asked for what is not seen from outside: `liveMemory` and `pollution`. */
  readonly isProbed?: boolean
}

/**
 * An API server as a process of its own, to be mistreated: `proa apiserver`. Where it serves and what it has stored stay the same
 * from one life of the process to the next.
 */
export class ApiServerProcess implements Entrance, AsyncDisposable {
  readonly token = adminToken
  readonly kubeconfig: string
  /** Everything that it has logged, over all its lives. */
  readonly log: LogLine[] = []
  readonly #options: ApiServerProcessOptions
  readonly #folder: TestFolder
  readonly #atExit: () => void
  #child: ChildProcess | undefined
  #url = ''

  private constructor(options: ApiServerProcessOptions) {
    this.#options = options
    this.#folder = testFolder({ path: options.folder, tokens: options.tokens })
    const { path } = this.#folder
    this.kubeconfig = join(path, 'admin.kubeconfig')
    this.#atExit = () => {
      this.#child?.kill('SIGKILL')
      if (options.folder === undefined) rmSync(path, { recursive: true, force: true })
    }
    process.on('exit', this.#atExit)
  }

  /** Resolves when it serves. */
  static async start(options: ApiServerProcessOptions = {}): Promise<ApiServerProcess> {
    const server = new ApiServerProcess(options)
    try {
      await server.start()
      return server
    } catch (error) {
      await server.close()
      throw error
    }
  }

  get url(): string {
    return this.#url
  }

  get port(): number {
    return Number(new URL(this.#url).port)
  }

  get authority(): string {
    return readFileSync(join(this.#folder.path, 'pki', 'ca.crt'), 'utf8')
  }

  /** Of its present life, or of the last one. */
  get pid(): number {
    return this.#child!.pid!
  }

  /** How its last life ended: the code with which it left, or the signal that ended it. Undefined while it runs. */
  get exit(): number | string | undefined {
    return this.#child?.exitCode ?? this.#child?.signalCode ?? undefined
  }

  /** Brings it back to life after `end`. Resolves when it serves. */
  async start(): Promise<void> {
    const { isProbed = false } = this.#options
    const prelude = isProbed ? ['--expose-gc', '--import', probe] : []
    const child = spawn(process.execPath, [...prelude, program, 'apiserver', ...this.#flags()], {
      stdio: ['ignore', 'pipe', 'pipe', ...(isProbed ? (['ipc'] as const) : [])],
    })
    this.#child = child
    eachLine(child.stderr!, (line) => this.log.push(logLine(line)))
    this.#url = await servedUrl(child, this.log)
  }

  #flags(): string[] {
    const port = this.#url === '' ? 0 : this.port
    const { path, tokenFile } = this.#folder
    return [
      `--data-dir=${path}`,
      `--token-auth-file=${tokenFile}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      '--service-cluster-ip-range=10.96.0.0/16',
      ...(this.#options.flags ?? []),
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

  /** SIGTERM asks it to stop, SIGKILL does not ask. Resolves with `exit` when it has gone. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | undefined> {
    const child = this.#child
    if (!child || this.exit !== undefined) return this.exit
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
    return this.exit
  }

  async close(): Promise<void> {
    await this.end('SIGKILL')
    process.off('exit', this.#atExit)
    this.#atExit()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** The server says where it serves as soon as it does. */
function servedUrl(child: ChildProcess, log: readonly LogLine[]): Promise<string> {
  return new Promise((resolve, reject) => {
    eachLine(child.stdout!, (line) => {
      const url = /serves on (\S+);/.exec(line)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.on('error', reject)
    child.on('exit', (code) =>
      reject(new Error(`the API server ended with ${code} before it served: ${JSON.stringify(log.slice(-20))}`)),
    )
  })
}
