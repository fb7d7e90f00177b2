import type { MeasureFilesystem } from './filesystem-space.js'
import type { NodeHost } from './node-host.js'
import { amountOf, type EvictionSignal, type Thresholds } from './thresholds.js'

export interface Pressures {
  readonly memory: boolean
  readonly disk: boolean
  readonly processes: boolean
}

export const noPressure: Pressures = { memory: false, disk: false, processes: false }

const kinds: Readonly<Record<keyof Pressures, readonly EvictionSignal[]>> = {
  memory: ['memory.available'],
  disk: ['nodefs.available', 'nodefs.inodesFree', 'imagefs.available', 'imagefs.inodesFree'],
  processes: ['pid.available'],
}

export interface PressureOptions {
  readonly host: NodeHost
  readonly thresholds: Thresholds
  /** Returns the folders of pods and of images. The latter is undefined until the runtime reports it. */
  readonly folders: () => { readonly node: string; readonly images: string | undefined }
  /** Milliseconds for which pressure is reported after it ends. Defaults to 5 min. */
  readonly transition?: number | undefined
}

/** Detects memory, disk and PID pressure. */
export class Pressure {
  readonly #options: PressureOptions
  /** When each pressure was last observed, on the monotonic clock. */
  readonly #seen = new Map<keyof Pressures, number>()

  constructor(options: PressureOptions) {
    this.#options = options
  }

  async measure(now: number): Promise<Pressures> {
    const { transition = 300_000 } = this.#options
    const signals = await this.#observe()
    const isUnder = (kind: keyof Pressures) => {
      if (kinds[kind].some((signal) => this.#isShort(signals, signal))) this.#seen.set(kind, now)
      const seen = this.#seen.get(kind)
      return seen !== undefined && (seen === now || now - seen < transition)
    }
    return { memory: isUnder('memory'), disk: isUnder('disk'), processes: isUnder('processes') }
  }

  #isShort(signals: Observed, signal: EvictionSignal): boolean {
    const threshold = this.#options.thresholds.get(signal)
    const found = signals.get(signal)
    return threshold !== undefined && found !== undefined && found.available < amountOf(threshold, found.capacity)
  }

  async #observe(): Promise<Observed> {
    const { host, folders } = this.#options
    const { node, images } = folders()
    const [{ memory }, load] = await Promise.all([host.facts(), host.load()])
    const signals: Observed = new Map()
    signals.set('memory.available', { capacity: memory, available: load.memoryAvailable })
    const { most, now } = load.processes
    signals.set('pid.available', { capacity: most, available: most - now })
    await measure(signals, host.measure, ['nodefs', node])
    if (images !== undefined) await measure(signals, host.measure, ['imagefs', images])
    return signals
  }
}

type Observed = Map<EvictionSignal, { readonly capacity: number; readonly available: number }>

async function measure(
  signals: Observed,
  space: MeasureFilesystem,
  [name, folder]: readonly ['nodefs' | 'imagefs', string],
): Promise<void> {
  const { capacity, available, inodes, inodesFree } = await space(folder)
  signals.set(`${name}.available`, { capacity, available })
  if (inodes > 0) signals.set(`${name}.inodesFree`, { capacity: inodes, available: inodesFree })
}
