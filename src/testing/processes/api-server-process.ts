import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiServerAccess } from '../servers/api-server.js'
import { adminToken, createServerFolder, type ServerFolder } from '../servers/server-folder.js'
import { ProaProcess } from './proa-process.js'
import type { ProcessLogLine } from './process-log.js'

const probe = new URL('./process-probe.js', import.meta.url).href

export interface ApiServerProcessOptions {
  /** Further flags of `proa apiserver`. */
  readonly flags?: readonly string[]
  /** The data folder, which stays after `close`. Default: a temporary folder that `close` removes. */
  readonly folder?: string
  /** Further tokens, as lines of a token file: `token,user,uid,"group1,group2"`. */
  readonly tokens?: readonly string[]
  /** Loads the probe for `liveMemory` and `pollution`. */
  readonly isProbed?: boolean
}

/**
 * An API server as a process of its own (`proa apiserver`), which a test can kill and start again. Its URL and its data stay the same
 * across restarts.
 */
export class ApiServerProcess implements ApiServerAccess, AsyncDisposable {
  readonly token = adminToken
  readonly kubeconfig: string
  /** All log lines, of all starts. */
  readonly log: ProcessLogLine[] = []
  readonly #options: ApiServerProcessOptions
  readonly #folder: ServerFolder
  readonly #atExit: () => void
  #process: ProaProcess | undefined
  #url = ''

  private constructor(options: ApiServerProcessOptions) {
    this.#options = options
    this.#folder = createServerFolder({ path: options.folder, tokens: options.tokens })
    const { path } = this.#folder
    this.kubeconfig = join(path, 'admin.kubeconfig')
    this.#atExit = () => {
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

  /** The id of the current or last process. */
  get pid(): number {
    return this.#process!.pid
  }

  /** Returns the path of a component's kubeconfig, for example of `controller-manager`. */
  kubeconfigOf(component: string): string {
    return join(this.#folder.path, `${component}.kubeconfig`)
  }

  /** The exit code or signal of the last process. Undefined while it runs. */
  get exit(): number | string | undefined {
    return this.#process?.exit
  }

  /** Starts the server again after `end`. Resolves when it serves. */
  async start(): Promise<void> {
    const { isProbed: isAsked = false } = this.#options
    const node = isAsked ? ['--expose-gc', '--import', probe] : []
    const args = ['apiserver', ...this.#flags()]
    this.#process = new ProaProcess({ args, node, hasChannel: isAsked, log: (line) => this.log.push(line) })
    const [, url] = await this.#process.untilOutput(/serves on (\S+);/)
    this.#url = url!
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

  /** Returns the megabytes of live objects after a garbage collection. */
  async liveMemory(): Promise<number> {
    return ((await this.#process!.request('memory')) as number) / 2 ** 20
  }

  /** Returns the names that were added to `Object.prototype` since the start. */
  async pollution(): Promise<readonly string[]> {
    return (await this.#process!.request('pollution')) as readonly string[]
  }

  /** Sends the signal. Resolves with `exit` when the process has ended. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | string | undefined> {
    return this.#process?.end(signal)
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
