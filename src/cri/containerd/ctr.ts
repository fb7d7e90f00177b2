import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The program `ctr`, and the socket of the containerd that it calls. */
export interface CtrOptions {
  readonly ctr: string
  readonly socket: string
}

export interface CtrCall {
  /** A containerd namespace. */
  readonly namespace: string
  readonly args: readonly string[]
  /** Standard input; empty if undefined. */
  readonly input?: AsyncIterable<Uint8Array>
  /** Receives standard output. If undefined, `runCtr` returns it. */
  readonly output?: Writable
  /** Receives standard error. A `CtrError` contains the end of it in any case. */
  readonly errors?: Writable
  /** Kills the program. */
  readonly signal?: AbortSignal
}

/** `ctr` failed. The message is containerd's, without the name of the program. */
export class CtrError extends Error {
  override readonly name = 'CtrError'
  readonly exitCode: number | null
  /** Whether `ctr` itself failed. Otherwise the exit code is that of the command in the container. */
  readonly isFromCtr: boolean

  constructor(stderr: string, exitCode: number | null) {
    const lines = stderr.trim().split('\n')
    const own = lines.findLast((line) => line.startsWith(prefix))
    super(own?.slice(prefix.length) || lines.at(-1) || `ctr exited with code ${exitCode}`)
    this.exitCode = exitCode
    this.isFromCtr = own !== undefined
  }
}

const prefix = 'ctr: '
/** Only the end of the output is kept for messages. */
const maxCapturedLength = 1 << 20

/** Runs `ctr` and returns its standard output. Rejects with a `CtrError`, or with the error of the input stream. */
export async function runCtr({ ctr, socket }: CtrOptions, call: CtrCall): Promise<string> {
  const args = ['--address', socket, '--namespace', call.namespace, ...call.args]
  const child = spawn(ctr, args, {
    stdio: [call.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    // Its own process group, so that Ctrl-C in the terminal reaches only this process, which cleans up.
    detached: true,
    // `ctr` would forward any other signal to the container.
    ...(call.signal && { signal: call.signal, killSignal: 'SIGKILL' }),
  })
  const closed = once(child, 'close') as Promise<[code: number | null]>
  const [[code], stdout, stderr, inputError] = await Promise.all([
    closed,
    call.output ? pipeTo(child.stdout!, call.output) : textOf(child.stdout!),
    textOf(child.stderr!, call.errors),
    writeInput(child, call.input),
  ])
  // A program that exits early closes its input. Its exit code then explains more than EPIPE.
  if (inputError && inputError.code !== 'EPIPE') throw inputError
  if (code !== 0) throw new CtrError(stderr, code)
  return stdout
}

async function writeInput(
  { stdin }: ChildProcess,
  input: AsyncIterable<Uint8Array> | undefined,
): Promise<NodeJS.ErrnoException | undefined> {
  if (!input || !stdin) return undefined
  return pipeline(Readable.from(input, { objectMode: false }), stdin).then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  )
}

async function pipeTo(from: Readable, to: Writable): Promise<string> {
  await pipeline(from, to, { end: to !== process.stdout && to !== process.stderr })
  return ''
}

async function textOf(stream: Readable, copy?: Writable): Promise<string> {
  let text = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    copy?.write(chunk)
    text = (text + chunk).slice(-maxCapturedLength)
  }
  return text
}
