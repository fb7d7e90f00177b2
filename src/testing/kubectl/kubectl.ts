import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject } from '../../schema/declaration.js'
import type { ApiServerAccess } from '../servers/api-server.js'

export interface KubectlRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** What it reads from standard input. */
  readonly input?: string
  readonly environment?: Readonly<Record<string, string>>
}

/** The real kubectl, with a home of its own and nothing in it but how to reach one server. */
export class Kubectl {
  readonly #home: string
  readonly #kubeconfig: string
  readonly namespace: string

  constructor(entrance: Pick<ApiServerAccess, 'kubeconfig'>, namespace = 'default', home = newHome()) {
    this.#home = home
    this.#kubeconfig = entrance.kubeconfig
    this.namespace = namespace
  }

  /** The same in another namespace, which is made, with the account that pods take. */
  async inNewNamespace(name: string): Promise<Kubectl> {
    const there = new Kubectl({ kubeconfig: this.#kubeconfig }, name, this.#home)
    await this.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const made = await there.run(['create', 'serviceaccount', 'default'])
    if (!made.stderr.includes('already exists')) succeeded(['create', 'serviceaccount'], made) // a loop may have been first
    return there
  }

  /** Runs it to its end, however that may be. */
  run(args: readonly string[], { input, environment }: RunOptions = {}): Promise<KubectlRun> {
    return new Promise((resolve, reject) => {
      const env = this.#environment(environment)
      const child = execFile('kubectl', this.#arguments(args), { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
        if (error && typeof error.code !== 'number') reject(error)
        else resolve({ code: error ? Number(error.code) : 0, stdout, stderr })
      })
      child.stdin?.end(input)
    })
  }

  /** What it prints. Throws where it fails. */
  async ok(...args: readonly string[]): Promise<string> {
    return succeeded(args, await this.run(args))
  }

  /** What it complains about. Throws where it does not fail. */
  async fails(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args)
    if (code === 0) throw new Error(`kubectl ${args.join(' ')} should have failed, and printed: ${stdout}`)
    return stderr
  }

  async json(...args: readonly string[]): Promise<JsonObject> {
    return JSON.parse(await this.ok(...args, '--output=json')) as JsonObject
  }

  /** Lines of words: how tables are read. */
  async table(...args: readonly string[]): Promise<readonly (readonly string[])[]> {
    const lines = (await this.ok(...args)).trimEnd().split('\n')
    return lines.map((line) => line.trim().split(/ {2,}|\t/))
  }

  /** Objects from standard input, by `create -f -`. */
  async create(...objects: readonly JsonObject[]): Promise<string> {
    return this.#send('create', objects)
  }

  async apply(...objects: readonly JsonObject[]): Promise<string> {
    return this.#send('apply', objects)
  }

  async #send(verb: string, objects: readonly JsonObject[]): Promise<string> {
    const args = [verb, '--filename=-']
    return succeeded(args, await this.run(args, { input: objects.map((object) => JSON.stringify(object)).join('\n') }))
  }

  /** Writes a file into its home and gives the path. */
  file(name: string, content: string): string {
    const path = join(this.#home, name)
    writeFileSync(path, content)
    return path
  }

  /** Starts it and does not wait for its end: for what goes on until it is stopped. */
  start(...args: readonly string[]): ChildProcess {
    return spawn('kubectl', this.#arguments(args), { env: this.#environment(), stdio: ['ignore', 'pipe', 'pipe'] })
  }

  #arguments(args: readonly string[]): string[] {
    return [`--namespace=${this.namespace}`, ...args]
  }

  #environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
    return { PATH: process.env.PATH, HOME: this.#home, KUBECONFIG: this.#kubeconfig, ...more }
  }

  close(): void {
    rmSync(this.#home, { recursive: true, force: true })
  }
}

function newHome(): string {
  return mkdtempSync(join(tmpdir(), 'proa-kubectl-'))
}

function succeeded(args: readonly string[], { code, stdout, stderr }: KubectlRun): string {
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} ended with code ${code}: ${stderr}`)
  return stdout
}

const oldest = 30

/** Why tests that need kubectl cannot run here, or false: to be given to `test` as `skip`. */
export function kubectlMissing(): string | false {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' })
  if (status !== 0) return 'there is no kubectl on the PATH'
  const { clientVersion } = JSON.parse(stdout) as { clientVersion: { minor: string; gitVersion: string } }
  return (
    Number.parseInt(clientVersion.minor, 10) < oldest && `kubectl ${clientVersion.gitVersion} is older than 1.${oldest}`
  )
}
