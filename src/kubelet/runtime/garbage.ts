import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isCriError } from '../../cri/cri-error.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { ObservedContainer, ObservedPod, ObservedSandbox } from './observed-pod.js'

export interface Garbage {
  readonly containers: readonly ObservedContainer[]
  readonly sandboxes: readonly ObservedSandbox[]
}

/**
 * Returns what can be removed of a pod that keeps running. Keeps the last exited container of each name, for its log and last state, and
 * the newest sandbox and those with kept containers.
 */
export function garbageOf({ containers, sandboxes }: ObservedPod): Garbage {
  const ended = containers.filter(({ state }) => state === 'exited')
  const lastOnes = new Map(ended.toReversed().map((container) => [container.name, container]))
  const newest = new Map(containers.toReversed().map((container) => [container.name, container]))
  const isDead = (container: ObservedContainer) =>
    container.state === 'exited'
      ? lastOnes.get(container.name) !== container
      : container.state === 'created' && newest.get(container.name) !== container
  const dead = containers.filter(isDead)
  const kept = containers.filter((container) => !dead.includes(container))
  const idle = sandboxes
    .slice(1)
    .filter(({ id, state }) => state === 'notReady' && !kept.some(({ sandboxId }) => sandboxId === id))
  return { containers: dead, sandboxes: idle }
}

/** Removes containers and sandboxes. Ignores those that are already gone. */
export async function removeGarbage(runtime: ContainerRuntime, { containers, sandboxes }: Garbage): Promise<void> {
  await Promise.all(containers.map((container) => removeContainer(runtime, container)))
  await Promise.all(sandboxes.map(({ id }) => unlessGone(runtime.removePodSandbox({ podSandboxId: id }))))
}

/** Removes the log first, because its path is lost with the container. */
export async function removeContainer(
  runtime: ContainerRuntime,
  { id, logPath }: ObservedContainer,
  { keepsLog = false }: { readonly keepsLog?: boolean } = {},
): Promise<void> {
  if (!keepsLog && logPath !== '') removeLog(logPath)
  await unlessGone(runtime.removeContainer({ containerId: id }))
}

/** Removes a log with its rotated files: `0.log`, `0.log.20260101-000000.gz`. */
function removeLog(path: string): void {
  const name = basename(path)
  for (const file of filesIn(dirname(path)))
    if (file === name || file.startsWith(`${name}.`)) rmSync(join(dirname(path), file), { force: true })
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function unlessGone(removal: Promise<unknown>): Promise<void> {
  try {
    await removal
  } catch (error) {
    if (!isCriError(error, 'NotFound')) throw error
  }
}
