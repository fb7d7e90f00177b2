import { PassThrough } from 'node:stream'
import { joinStreams } from '../exec/channels.js'
import type { CopyLocation } from './location.js'
import { type CopyContext, commandInPod } from './pod.js'
import { unpack } from './unpack.js'

/** Runs `tar` in the container to pack a file or directory, and unpacks it locally. */
export async function copyFromPod(call: CopyContext, source: CopyLocation, target: CopyLocation): Promise<void> {
  const archive = new RemoteArchive(call, source)
  const { files: folders } = call.factory.environment
  await unpack(archive.chunks(), { source, folder: target.path, folders, err: call.err, whole: () => archive.whole() })
}

/** Reads an archive from a container. Resumes after a broken connection. */
class RemoteArchive {
  readonly #call: CopyContext
  readonly #source: CopyLocation
  #received = 0
  #isWhole = false

  constructor(call: CopyContext, source: CopyLocation) {
    this.#call = call
    this.#source = source
  }

  /** Called when the archive is complete. Further bytes are ignored, but the exit code of the command still counts. */
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

  /** Resuming needs a shell in the container, which skips the bytes that have arrived. */
  #words(): readonly string[] {
    const { path } = this.#source
    if (this.#call.flags.retries === 0) return ['tar', 'cf', '-', path]
    const quoted = `'${path.replaceAll("'", "'\\''")}'`
    return ['sh', '-c', `tar cf - ${quoted} | tail -c+${this.#received + 1}`]
  }
}

/** Yields the output of a command. Throws at the end if it fails. Its errors go to standard output, as upstream does. */
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
