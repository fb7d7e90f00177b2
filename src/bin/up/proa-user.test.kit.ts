import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../../../../', import.meta.url))
export const program = join(repository, 'dist/bundle/bin/proa.cjs')

export interface Result {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** The flags of a cluster that takes nothing of the machine but a port. */
export const lightly = ['--port', '0', '--bind-address', '127.0.0.1', '--runtime', 'none']

/** Somebody with a home directory of their own, who types commands. The clusters of the machine are not touched. */
export class ProaUser implements AsyncDisposable {
  /** It has a blank and a quote in its name: whatever is told to be typed must cope with it. */
  readonly home = mkdtempSync(join(tmpdir(), "proa user's "))
  readonly env: NodeJS.ProcessEnv
  readonly #dataDirectories = new Set<string>()

  constructor() {
    const others = Object.entries(process.env).filter(([name]) => !/^(PROA_.*|KUBECONFIG|XDG_.*|npm_.*)$/.test(name))
    this.env = { ...Object.fromEntries(others), HOME: this.home }
  }

  path(...names: readonly string[]): string {
    return join(this.home, ...names)
  }

  /** Of a cluster that ends with this user at the latest. */
  dataDirectory(name: string): string {
    const path = this.path(name)
    this.#dataDirectories.add(path)
    return path
  }

  proa(...args: readonly string[]): Promise<Result> {
    return finished(this.#start(process.execPath, [program, ...args]))
  }

  /** `up` in the background, on any free port and without nodes. */
  up(dataDirectory: string, ...args: readonly string[]): Promise<Result> {
    return this.proa('up', '--data-dir', dataDirectory, '--detach', ...lightly, ...args)
  }

  /** A whole line, as it stands. */
  type(line: string, variables: NodeJS.ProcessEnv = {}): Promise<Result> {
    return finished(this.#start('/bin/sh', ['-c', line], variables))
  }

  /** The same for a line that does not end by itself: Ctrl-C is pressed when its output looks like that. */
  async typeUntil(line: string, said: RegExp): Promise<Result> {
    const child = this.#start('/bin/sh', ['-c', `exec ${line}`])
    const result = finished(child)
    let out = ''
    const listen = (chunk: unknown) => {
      out += String(chunk)
      if (!said.test(out)) return
      child.stdout!.off('data', listen)
      child.kill('SIGINT')
    }
    child.stdout!.on('data', listen)
    return result
  }

  /** Starts `up` in the foreground. */
  spawnUp(dataDirectory: string, ...args: readonly string[]): ChildProcess {
    return this.#start(process.execPath, [program, 'up', '--data-dir', dataDirectory, ...lightly, ...args])
  }

  /** A line in which `$NODE` and `$PROGRAM` stand for how `proa` calls this program. */
  called(line: string): string {
    return line.replace('"$NODE"', `'${process.execPath}'`).replace('"$PROGRAM"', `'${program}'`)
  }

  /** Puts the command where a package would have it; resolves its path. */
  install(...folder: readonly string[]): string {
    const place = this.path(...folder)
    mkdirSync(place, { recursive: true })
    cpSync(join(repository, 'proa'), join(place, 'proa'))
    symlinkSync(join(repository, 'dist'), join(place, 'dist'))
    return join(place, 'proa')
  }

  #start(file: string, args: readonly string[], variables: NodeJS.ProcessEnv = {}): ChildProcess {
    const env = { ...this.env, ...variables }
    return spawn(file, args, { env, cwd: this.home, stdio: ['ignore', 'pipe', 'pipe'] })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const path of this.#dataDirectories) if (existsSync(path)) await this.proa('down', '--data-dir', path)
    rmSync(this.home, { recursive: true })
  }
}

async function finished(child: ChildProcess): Promise<Result> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout!.on('data', (chunk) => out.push(chunk))
  child.stderr!.on('data', (chunk) => err.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, out: String(Buffer.concat(out)), err: String(Buffer.concat(err)) }
}

/** What a text tells people to type, by its purpose. */
export function hintsIn(text: string): Readonly<Record<string, string>> {
  const lines = [...text.matchAll(/^ {2}([a-z][a-z ]+): +(\S.*)$/gm)]
  return Object.fromEntries(lines.map(([, purpose = '', line = '']) => [purpose, line]))
}

/** The lines under "Now type:". */
export function firstLines(text: string): readonly string[] {
  const [, block = ''] = /^Now type:\n((?: {2}\S.*\n)+)/m.exec(text) ?? []
  return block.split('\n').flatMap((line) => (line === '' ? [] : [line.trim()]))
}
