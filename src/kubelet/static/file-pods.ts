import type { Pod } from '../../api/core/v1/pod.js'
import type { Timer } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { NodeIdentity } from '../node/node-identity.js'
import { podFromManifest, seenAnnotation } from './manifest.js'
import { type ManifestFile, type ManifestFolder, manifestFolder } from './manifest-folder.js'
import type { StaticPods } from './static-pods.js'

/** Milliseconds: upstream's reread period, and how long a changed file must be quiet before it is read. */
const usualPeriod = 20_000
const quietDelay = 20

export interface StaticPodsDependencies {
  readonly environment: Environment
  readonly identity: Pick<NodeIdentity, 'nodeName'>
  /** A folder, a file, or another source of manifests. */
  readonly from: string | ManifestFolder
  /** Milliseconds between two rereads, in addition to the watch. */
  readonly period?: number | undefined
}

export function staticPods(dependencies: StaticPodsDependencies): StaticPods {
  return new FilePods(dependencies)
}

/** The last known content of a file. */
interface KnownFile {
  readonly text: string
  /** Undefined if the manifest is invalid. */
  readonly pod: Pod | undefined
}

class FilePods implements StaticPods {
  readonly synced: Promise<void>
  readonly #dependencies: StaticPodsDependencies
  readonly #folder: ManifestFolder
  readonly #listeners = new Set<() => void>()
  #files: ReadonlyMap<string, KnownFile> = new Map()
  #pods: readonly Pod[] = []
  #timer: Timer | undefined
  #stopWatching: (() => void) | undefined
  #reading: Promise<void> | undefined
  #isOutdated = false
  #isClosed = false

  constructor(dependencies: StaticPodsDependencies) {
    this.#dependencies = dependencies
    this.#folder = typeof dependencies.from === 'string' ? manifestFolder(dependencies.from) : dependencies.from
    this.synced = this.#read(true)
  }

  list(): readonly Pod[] {
    return this.#pods
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#stopWatching?.()
  }

  /** Reads all files. Only one read runs at a time; changes during it cause another one. */
  #read(isRoutine: boolean): Promise<void> {
    if (this.#reading) {
      this.#isOutdated = true
      return this.#reading
    }
    this.#reading = this.#readAll(isRoutine).finally(() => {
      this.#reading = undefined
      this.#wait()
    })
    return this.#reading
  }

  #wait(): void {
    if (this.#isClosed) return
    this.#stopWatching ??= this.#folder.watch(() => this.#changed())
    const { clock } = this.#dependencies.environment
    this.#timer?.cancel()
    if (this.#isOutdated) this.#changed()
    else this.#timer = clock.timer(this.#dependencies.period ?? usualPeriod, () => void this.#read(true))
    this.#isOutdated = false
  }

  /** A watch reports every partial write, so the file is read once it is quiet. */
  #changed(): void {
    if (this.#isClosed) return
    this.#timer?.cancel()
    this.#timer = this.#dependencies.environment.clock.timer(quietDelay, () => void this.#read(false))
  }

  async #readAll(isRoutine: boolean): Promise<void> {
    const { log } = this.#dependencies.environment
    if (isRoutine) this.#renewWatch()
    try {
      const files = await this.#folder.read()
      const known = await Promise.all(files.map((file) => this.#parse(file, isRoutine)))
      this.#files = new Map(files.map(({ path }, i) => [path, known[i]!]))
      this.#publish()
    } catch (error) {
      log.error('manifest folder unreadable', { error }) // the present pods keep running
    }
  }

  /** Watches the folder again: a watch does not follow a replaced folder. */
  #renewWatch(): void {
    this.#stopWatching?.()
    this.#stopWatching = undefined
  }

  async #parse({ path, text, problem }: ManifestFile, isRoutine: boolean): Promise<KnownFile> {
    const before = this.#files.get(path)
    if (before && before.text === text) return before
    try {
      if (text === undefined) throw new Error(problem)
      return {
        text,
        pod: this.#withSeenTime(await podFromManifest(text, { path, nodeName: this.#dependencies.identity.nodeName })),
      }
    } catch (error) {
      // A file that has just changed may be incomplete. Its pod keeps running until the next routine read.
      if (!isRoutine && before?.pod) return { ...before, text: '' }
      this.#dependencies.environment.log.error('manifest invalid', { path, error })
      return { text: text ?? '', pod: undefined }
    }
  }

  /** Adds the annotation with the time when the pod was first seen. A pod that is read again stays the same object. */
  #withSeenTime(pod: Pod): Pod {
    const before = this.#pods.find(({ metadata }) => metadata.uid === pod.metadata.uid)
    if (before) return before
    const seen = new Date(this.#dependencies.environment.clock.now()).toISOString()
    const annotations = { ...pod.metadata.annotations, [seenAnnotation]: seen }
    return { ...pod, metadata: { ...pod.metadata, annotations } }
  }

  #publish(): void {
    const pods = this.#distinct([...this.#files.values()].flatMap(({ pod }) => pod ?? []))
    const isSame = pods.length === this.#pods.length && pods.every((pod, i) => pod === this.#pods[i])
    this.#pods = pods
    if (!isSame && !this.#isClosed) for (const listener of this.#listeners) listener()
  }

  /** Keeps only the first of several pods with the same name. */
  #distinct(pods: readonly Pod[]): readonly Pod[] {
    const names = new Set<string>()
    return pods.filter(({ metadata: { namespace, name } }) => {
      const key = `${namespace}/${name}`
      if (names.has(key)) this.#dependencies.environment.log.error('duplicate static pod name', { pod: key })
      return !names.has(key) && names.add(key)
    })
  }
}
