import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { Event } from '../../api/core/v1/event.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { hasReason } from '../../api/errors.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { type DurationLike, VirtualClock } from '../../base/virtual-clock.js'
import { startTestCluster, type TestCluster, type TestClusterOptions } from '../cluster.js'

export interface TranscriptOptions extends Pick<TestClusterOptions, 'controllers' | 'controllerFlags'> {
  /** Returns the current state as lines of text. */
  readonly view: (cluster: TestCluster) => Promise<readonly string[]>
}

/** Runs the steps of a script and records the state after each of them. */
export interface Transcript {
  readonly cluster: TestCluster
  readonly clock: VirtualClock
  /** Runs `work`, and records the state after the cluster has settled without time passing. */
  step(what: string, work?: () => Promise<unknown>): Promise<void>
  /** Advances the clock, and records the state. */
  advance(span: DurationLike): Promise<void>
  /** Returns the real name of the object that the transcript calls `web-a`. */
  nameOf(readable: string): string
}

/**
 * Runs a script on a cluster with a virtual clock and compares the transcript with the file `name.transcript.txt` beside the test.
 * With `GOLDEN_UPDATE=1` it writes the file instead. Random parts of names become letters, in the order in which they first appear.
 */
export async function checkTranscript(
  file: { readonly of: string; readonly name: string },
  options: TranscriptOptions,
  script: (transcript: Transcript) => Promise<void>,
): Promise<void> {
  const clock = new VirtualClock()
  const virtual = environment({ clock, random: seededRandom(1) })
  await using cluster = await startTestCluster({ ...options, environment: virtual })
  await createDefaultAccount(cluster)
  const writer = new TranscriptWriter(cluster, clock, options.view)
  await script(writer)
  compare(new URL(`${file.name}.transcript.txt`, file.of.replace('/dist/src/', '/src/')), writer.text)
}

/** Every pod needs the default service account, and its controller may not be running. */
async function createDefaultAccount({ client }: TestCluster): Promise<void> {
  try {
    await client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
  }
}

function compare(file: URL, text: string): void {
  if (process.env.GOLDEN_UPDATE === '1') writeFileSync(file, text)
  else assert.equal(text, readFileSync(file, 'utf8'))
}

class TranscriptWriter implements Transcript {
  readonly cluster: TestCluster
  readonly clock: VirtualClock
  readonly #view: TranscriptOptions['view']
  readonly #lines: string[] = []
  readonly #letters = new Map<string, string>()
  /** The count of each event that the transcript already has. */
  readonly #eventCounts = new Map<string, number>()
  #lastView = ''

  constructor(cluster: TestCluster, clock: VirtualClock, view: TranscriptOptions['view']) {
    this.cluster = cluster
    this.clock = clock
    this.#view = view
  }

  get text(): string {
    return `${this.#lines.join('\n')}\n`
  }

  async step(what: string, work: () => Promise<unknown> = async () => {}): Promise<void> {
    await work()
    await this.clock.settle()
    const time = new Date(this.clock.now()).toISOString().slice(11, 19)
    this.#lines.push(`${this.#lines.length > 0 ? '\n' : ''}${time} ${this.#readable(what)}`)
    const events = await this.#newEvents()
    const view = sortWithinKinds((await this.#view(this.cluster)).map((line) => this.#readable(line)))
    const shown = (view.length > 0 ? view : ['nothing']).map((line) => `  ${line}`).join('\n')
    if (shown !== this.#lastView) this.#lines.push(shown)
    this.#lastView = shown
    this.#lines.push(...events.map((line) => `  ! ${line}`))
  }

  async advance(span: DurationLike): Promise<void> {
    await this.clock.advance(span)
    await this.step(`${span} later`)
  }

  nameOf(readable: string): string {
    const dash = readable.lastIndexOf('-') + 1
    for (const [random, letter] of this.#letters)
      if (letter === readable.slice(dash)) return readable.slice(0, dash) + random
    throw new Error(`no object is called ${readable} so far`)
  }

  async #newEvents(): Promise<readonly string[]> {
    const { items } = await this.cluster.client.resource(Event).list()
    const inOrder = [...items].sort((left, right) => revisionOf(left) - revisionOf(right))
    const lines: string[] = []
    for (const { involvedObject, reason, message, type, count = 1 } of inOrder) {
      const line = `${type} ${involvedObject.kind}/${involvedObject.name} ${reason}: ${message}`
      const more = count - (this.#eventCounts.get(line) ?? 0)
      this.#eventCounts.set(line, count)
      if (more > 0) lines.push(more > 1 ? `${line} (${more} times)` : line)
    }
    return lines.map((line) => this.#readable(line)).sort()
  }

  /** Replaces random suffixes: five characters of the alphabet of generated names, after a dash. */
  #readable(line: string): string {
    return line.replace(/(?<=-)[bcdfghjklmnpqrstvwxz2456789]{5}(?![\w-])/g, (random) => {
      const letter = this.#letters.get(random) ?? letterOf(this.#letters.size)
      this.#letters.set(random, letter)
      return letter
    })
  }
}

function revisionOf({ metadata }: Event): number {
  return Number(metadata.resourceVersion)
}

/** Sorts consecutive lines of the same kind, because random names have a different order in each run. */
function sortWithinKinds(lines: readonly string[]): readonly string[] {
  const kindOf = (line: string) => line.slice(0, line.indexOf(' '))
  const groups: string[][] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last && kindOf(line) !== '' && kindOf(last[0]!) === kindOf(line)) last.push(line)
    else groups.push([line])
  }
  return groups.flatMap((group) => group.sort())
}

function letterOf(position: number): string {
  const rest = Math.floor(position / 26)
  return (rest > 0 ? letterOf(rest - 1) : '') + String.fromCharCode(97 + (position % 26))
}
