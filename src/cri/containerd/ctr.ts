import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A containerd, and the program that talks to it. */
export interface CtrOptions {
  readonly ctr: string
  readonly socket: string
}

export interface CtrCall {
  /** In containerd's sense. */
  readonly namespace: string
  readonly args: readonly string[]
  /** Standard input; empty, if undefined. */
  readonly input?: AsyncIterable<Uint8Array>
  /** Gets standard output, which else is returned. */
  readonly output?: Writable
  /** Gets standard error while it comes. The end of it is part of an error in any case. */
  readonly errors?: Writable
  /** Kills the program. */
  readonly signal?: AbortSignal
}

/** containerd refused, or does not answer. The message is containerd's own, without the name of the program. */
export class CtrError extends Error {
  override readonly name = 'CtrError'
  readonly exitCode: number | null
  /** Whether the program itself complains. Otherwise the exit code is that of what it ran. */
  readonly isFromCtr: boolean

  constructor(said: string, exitCode: number | null) {
    const lines = said.trim().split('\n')
    const own = lines.findLast((line) => line.startsWith(prefix))
    super(own?.slice(prefix.length) || lines.at(-1) || `ctr ended with code ${exitCode}`)
    this.exitCode = exitCode
    this.isFromCtr = own !== undefined
  }
}

const prefix = 'ctr: '
/** The end of what a program prints is enough for a message. */
const maxCapturedLength = 1 << 20

/** Runs `ctr`, and returns what it prints. Rejects with a `CtrError`, or with the error of the input. */
export async function runCtr({ ctr, socket }: CtrOptions, call: CtrCall): Promise<string> {
  const args = ['--address', socket, '--namespace', call.namespace, ...call.args]
  const child = spawn(ctr, args, {
    stdio: [call.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    // In a group of its own, so that Ctrl-C at the terminal reaches only us, who clean up.
    detached: true,
    // It would pass any other signal on to the container.
    ...(call.signal && { signal: call.signal, killSignal: 'SIGKILL' }),
  })
  const ended = once(child, 'close') as Promise<[code: number | null]>
  const [[code], text, said, problem] = await Promise.all([
    ended,
    call.output ? pipeTo(child.stdout!, call.output) : textOf(child.stdout!),
    textOf(child.stderr!, call.errors),
    writeInput(child, call.input),
  ])
  // A program that ends early closes its input. Why it ended says more than that.
  if (problem && problem.code !== 'EPIPE') throw problem
  if (code !== 0) throw new CtrError(said, code)
  return text
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
