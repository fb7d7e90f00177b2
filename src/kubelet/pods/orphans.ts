import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'
import { removeGarbage } from '../runtime/garbage.js'
import { parseContainerAnnotations } from '../runtime/labels.js'
import type { ObservedContainer, ObservedPod } from '../runtime/observed-pod.js'
import { killPod, mayBeRunning } from '../sync/kill-pod.js'
import type { SyncDependencies } from '../sync/sync-dependencies.js'
import { traceStage } from '../sync/trace-stage.js'

export interface OrphansDependencies
  extends Pick<
    SyncDependencies,
    'environment' | 'runtime' | 'view' | 'events' | 'hooks' | 'volumes' | 'cgroups' | 'identity'
  > {
  /** Aborted when the kubelet stops. The next kubelet continues the cleanup. */
  readonly signal: AbortSignal
}

/**
 * Cleans up orphaned pods: pods that were deleted while the kubelet was down, or whose cleanup was interrupted. Their containers stop as
 * their annotations say (hook and grace period).
 */
export class Orphans {
  readonly #dependencies: OrphansDependencies
  readonly #environment: Environment
  readonly #cleanups = new Map<string, Promise<void>>()

  constructor(dependencies: OrphansDependencies) {
    this.#dependencies = dependencies
    this.#environment = dependencies.environment
  }

  /** Returns the running cleanup of a pod, or undefined. */
  cleanupOf(uid: string): Promise<void> | undefined {
    return this.#cleanups.get(uid)
  }

  /** Cleans up every pod that has anything on this node and for which `isKnown` returns false. */
  async sweep(isKnown: (uid: string) => boolean): Promise<void> {
    const { view, volumes, cgroups } = this.#dependencies
    const [onDisk, inCgroups] = await Promise.all([volumes.known(), cgroups.known()])
    const seen = view.pods().map(({ uid }) => uid)
    const all = new Set([...seen, ...onDisk, ...inCgroups, ...this.#logFolders().map(({ uid }) => uid)])
    await Promise.all([...all].filter((uid) => !isKnown(uid)).map((uid) => this.cleanUp(uid)))
  }

  /** Cleans up one pod. Never rejects: the next sweep tries again. */
  cleanUp(uid: string): Promise<void> {
    const known = this.#cleanups.get(uid)
    if (known) return known
    const cleanup = this.#cleanUpNow(uid)
      .catch((error: unknown) => {
        if (!this.#dependencies.signal.aborted) this.#environment.log.error('pod cleanup failed', { uid, error })
      })
      .finally(() => this.#cleanups.delete(uid))
    this.#cleanups.set(uid, cleanup)
    return cleanup
  }

  async #cleanUpNow(uid: string): Promise<void> {
    const { view, runtime, volumes, cgroups, signal } = this.#dependencies
    signal.throwIfAborted()
    const observed = await view.refresh(uid)
    const pod = await this.#rebuildPod(observed)
    await traceStage(this.#environment, { name: 'clean up', pod }, async () => {
      await killPod(this.#dependencies, pod, observed, { signal: this.#dependencies.signal })
      await removeGarbage(runtime, observed)
      await view.refresh(uid)
      await volumes.remove(uid)
      await cgroups.remove(uid)
      this.#removeLogs(uid)
    })
  }

  /** Rebuilds as much of the pod as the annotations of its running containers tell. */
  async #rebuildPod({ uid, name, namespace, containers }: ObservedPod): Promise<Pod> {
    const running = containers.filter(mayBeRunning)
    const annotations = await Promise.all(running.map((container) => this.#annotationsOf(container)))
    const { deletionGracePeriod, terminationGracePeriod } = annotations[0] ?? {}
    return {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        uid,
        name,
        namespace,
        ...(deletionGracePeriod !== undefined && { deletionGracePeriodSeconds: deletionGracePeriod }),
      },
      spec: {
        ...(terminationGracePeriod !== undefined && { terminationGracePeriodSeconds: terminationGracePeriod }),
        containers: running.map((container, index) => {
          const { preStop, ports = [] } = annotations[index] ?? {}
          return { name: container.name, ports: [...ports], ...(preStop && { lifecycle: { preStop } }) }
        }),
      },
      status: {},
    }
  }

  async #annotationsOf({ id }: ObservedContainer) {
    const { status } = await this.#dependencies.runtime.containerStatus({ containerId: id })
    return status && parseContainerAnnotations(status.annotations)
  }

  /** Removes the logs synchronously, because a virtual clock would not wait for asynchronous work. */
  #removeLogs(uid: string): void {
    for (const folder of this.#logFolders())
      if (folder.uid === uid) rmSync(folder.path, { recursive: true, force: true })
  }

  /** `default_web_uid` */
  #logFolders(): readonly { readonly uid: string; readonly path: string }[] {
    const { podLogsFolder } = this.#dependencies.identity
    return foldersIn(podLogsFolder).flatMap((name) => {
      const [, , uid, ...rest] = name.split('_')
      const path = join(podLogsFolder, name)
      return uid && rest.length === 0 && isLogsFolder(path) ? [{ uid, path }] : []
    })
  }
}

/** Returns whether the folder holds only container folders with log files. Other folders with such a name are not the kubelet's. */
function isLogsFolder(path: string): boolean {
  const isLogsOf = (container: string) => readdirSync(container).every((name) => /^\d+\.log/.test(name))
  if (!lstatSync(path).isDirectory()) return false
  const entries = readdirSync(path, { withFileTypes: true })
  return entries.every((entry) => entry.isDirectory() && isLogsOf(join(path, entry.name)))
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
