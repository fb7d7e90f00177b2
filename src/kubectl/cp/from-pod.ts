import { PassThrough } from 'node:stream'
import { joinStreams } from '../exec/channels.js'
import type { CopyLocation } from './location.js'
import { type CopyContext, commandInPod } from './pod.js'
import { unpack } from './unpack.js'

/** Has `tar` in the container pack a file or a folder, and unpacks it here. */
export async function copyFromPod(call: CopyContext, source: CopyLocation, target: CopyLocation): Promise<void> {
  const archive = new RemoteArchive(call, source)
  const { files: folders } = call.factory.environment
  await unpack(archive.chunks(), { source, folder: target.path, folders, err: call.err, whole: () => archive.whole() })
}

/** An archive that is made in a container, from its beginning to its end, even if the connection breaks off in between. */
class RemoteArchive {
  readonly #call: CopyContext
  readonly #source: CopyLocation
  #received = 0
  #isWhole = false

  constructor(call: CopyContext, source: CopyLocation) {
    this.#call = call
    this.#source = source
  }

  /** The reader has come to the end: what comes behind it is of no importance, but how the command ends is. */
  whole(): void {
    this.#isWhole = true
  }

  async *chunks(): AsyncGenerator<Uint8Array> {
    const { flags } = this.#call
    for (let retries = 0; ; retries++) {
      let failure: unknown
      try {
        yield* this.#attempt()
      } catch (error) {
        failure = error
      }
      if (this.#isWhole || retries === flags.retries) return this.#end(failure, retries)
      await this.#call.out(`Resuming copy at ${this.#received} bytes, retry ${retries + 1}/${flags.retries}\n`)
    }
  }

  async #end(failure: unknown, retries: number): Promise<void> {
    if (failure !== undefined) throw failure
    if (!this.#isWhole) await this.#call.out(`Dropping out copy after ${retries} retries\n`)
  }

  async *#attempt(): AsyncGenerator<Uint8Array> {
    for await (const chunk of commandOutput(this.#call, this.#source, this.#words())) {
      this.#received += chunk.length
      yield chunk
    }
  }

  /** Only a shell can leave out what has come already. */
  #words(): readonly string[] {
    const { path } = this.#source
    if (this.#call.flags.retries === 0) return ['tar', 'cf', '-', path]
    const quoted = `'${path.replaceAll("'", "'\\''")}'`
    return ['sh', '-c', `tar cf - ${quoted} | tail -c+${this.#received + 1}`]
  }
}

/** What a command says. Throws at the end where it fails. Its complaints go to standard output, as the original has it. */
async function* commandOutput(
  call: CopyContext,
  source: CopyLocation,
  words: readonly string[],
): AsyncGenerator<Uint8Array> {
  const session = await commandInPod(call, source, { words, tell: call.out })
  const pipe = new PassThrough()
  const out = (bytes: string | Uint8Array) =>
    new Promise<void>((resolve) => {
      pipe.write(bytes, () => resolve())
    })
  const over = joinStreams(call.factory, { ...session, out, err: call.out }).finally(() => pipe.end())
  over.catch(() => {}) // it is waited for below, unless nobody reads to the end
  yield* pipe as AsyncIterable<Uint8Array>
  await over
}
