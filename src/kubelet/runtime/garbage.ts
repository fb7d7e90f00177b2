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
 * What is of no more use of a pod that goes on: of each container the last one that ended is kept, for its log and its last state, and of
 * sandboxes the last one, and those in which a container is kept.
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

/** Also of what is gone already. */
export async function removeGarbage(runtime: ContainerRuntime, { containers, sandboxes }: Garbage): Promise<void> {
  await Promise.all(containers.map((container) => removeContainer(runtime, container)))
  await Promise.all(sandboxes.map(({ id }) => unlessGone(runtime.removePodSandbox({ podSandboxId: id }))))
}

/** The log goes first: once the container is gone, nobody would know where it is. */
export async function removeContainer(
  runtime: ContainerRuntime,
  { id, logPath }: ObservedContainer,
  { keepsLog = false }: { readonly keepsLog?: boolean } = {},
): Promise<void> {
  if (!keepsLog && logPath !== '') removeLog(logPath)
  await unlessGone(runtime.removeContainer({ containerId: id }))
}

/** With the older parts of it: `0.log`, `0.log.20260101-000000.gz`. */
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
