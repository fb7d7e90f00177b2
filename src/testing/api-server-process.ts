import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adminToken, type Entrance, type TestFolder, testFolder } from './api-server.js'

const program = fileURLToPath(new URL('../../bundle/bin/proa.js', import.meta.url))

/**
 * An API server as a process of its own, to be mistreated: `proa apiserver`, its data in a temporary folder. Where it serves and
 * what it has stored stay the same from one life of the process to the next.
 */
export class ApiServerProcess implements Entrance, AsyncDisposable {
  readonly token = adminToken
  readonly kubeconfig: string
  readonly #folder: TestFolder
  readonly #flags: readonly string[]
  readonly #atExit: () => void
  #child: ChildProcess | undefined
  #errors = ''
  #url = ''

  private constructor(folder: TestFolder, flags: readonly string[]) {
    this.#folder = folder
    this.#flags = flags
    this.kubeconfig = join(folder.path, 'admin.kubeconfig')
    this.#atExit = () => {
      this.#child?.kill('SIGKILL')
      rmSync(folder.path, { recursive: true, force: true })
    }
    process.on('exit', this.#atExit)
  }

  /** Resolves when it serves. `flags` are those of `proa apiserver`, beyond what a test always needs. */
  static async start(flags: readonly string[] = []): Promise<ApiServerProcess> {
    const server = new ApiServerProcess(await testFolder(), flags)
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

  get authority(): string {
    return readFileSync(join(this.#folder.path, 'pki', 'ca.crt'), 'utf8')
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  /** What it has written to its log in its present life; the end of it. */
  get log(): string {
    return this.#errors
  }

  /** Brings it back to life after `end`. Resolves when it serves. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [program, 'apiserver', ...this.#allFlags()], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#errors = ''
    child.stderr.on('data', (data) => {
      this.#errors = (this.#errors + data).slice(-20_000)
    })
    this.#url = await servedUrl(child, () => this.#errors)
  }

  #allFlags(): string[] {
    const port = this.#url === '' ? 0 : new URL(this.#url).port
    const { path, tokenFile } = this.#folder
    return [
      `--data-dir=${path}`,
      `--token-auth-file=${tokenFile}`,
      `--secure-port=${port}`,
      '--bind-address=127.0.0.1',
      '--service-cluster-ip-range=10.96.0.0/16',
      ...this.#flags,
    ]
  }

  /** SIGTERM asks it to stop, SIGKILL does not ask. Resolves with the exit code when it has gone; null if it was killed. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const gone = once(child, 'exit')
    child.kill(signal)
    const [code] = await gone
    return code as number | null
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
function servedUrl(child: ChildProcess, errors: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (data) => {
      text += data
      const url = /serves on (\S+);/.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.on('error', reject)
    child.on('exit', (code) =>
      reject(new Error(`the API server ended with code ${code} before it served: ${errors()}`)),
    )
  })
}
