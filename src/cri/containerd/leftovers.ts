import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Clock } from '../../base/clock.js'
import type { ContainerdPaths } from './configuration.js'
import { endProcesses, runningProcesses, signalProcess } from './processes.js'

const run = promisify(execFile)

/** The containerds that run on this folder: one that lost its parent, for instance. */
export function containerdsOn({ configuration }: ContainerdPaths): number[] {
  return pidsByCommand((command) => command[1] === '--config' && command[2] === configuration)
}

/** The processes that hold the containers of this folder's containerd, whether it runs or not. */
export function shimsOf({ socket }: ContainerdPaths): number[] {
  return pidsByCommand((command) => {
    const at = command.indexOf('-address')
    return at > 0 && command[at + 1] === socket
  })
}

function pidsByCommand(matches: (command: readonly string[]) => boolean): number[] {
  return runningProcesses().flatMap(({ pid, command }) => (matches(command) ? [pid] : []))
}

/** Mounted paths in the folder, the innermost first. The kernel names them without links. */
export function mountsIn(folder: string, table = readFileSync('/proc/self/mountinfo', 'utf8')): string[] {
  const real = existsSync(folder) ? realpathSync(folder) : folder
  const points = table.split('\n').flatMap((line) => {
    const point = line.split(' ')[4]
    return point === undefined ? [] : [unescapeMountPath(point)]
  })
  return points.filter((point) => point.startsWith(`${real}/`)).reverse()
}

/** The kernel writes blanks and the like as octal numbers. */
function unescapeMountPath(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

/**
 * Ends and unmounts everything that a containerd left behind on this folder, by whatever way it went: containers, the shims that
 * hold them, root file systems, network namespaces, sockets. Files and images stay. To be called while no containerd runs on it.
 */
export async function clearLeftovers(paths: ContainerdPaths, runc: string, clock: Clock): Promise<void> {
  const namespaces = existsSync(paths.runcState) ? readdirSync(paths.runcState) : []
  for (const namespace of namespaces) await deleteContainers(join(paths.runcState, namespace), runc)
  const sockets = shimSockets(paths)
  const shims = shimsOf(paths)
  for (const pid of shims) signalProcess(pid, 'SIGKILL')
  await endProcesses(shims, clock, 0)
  for (const socket of sockets) rmSync(socket, { force: true })
  await unmountAll(paths.folder)
}

async function deleteContainers(runcRoot: string, runc: string): Promise<void> {
  const ids = readdirSync(runcRoot)
  await Promise.all(ids.map((id) => run(runc, ['--root', runcRoot, 'delete', '--force', id])))
}

/** Of sockets that shims of ours listened on, those that nobody listens on any more. */
export function removeDeadSockets(paths: Iterable<string>): void {
  const listening = readFileSync('/proc/net/unix', 'utf8')
  for (const path of paths) if (!listening.includes(path)) rmSync(path, { force: true })
}

/** Shims listen in a folder that all containerds of a machine share, under names that are told in these files. */
export function shimSockets({ state }: ContainerdPaths): string[] {
  const tasks = join(state, 'io.containerd.runtime.v2.task')
  if (!existsSync(tasks)) return []
  const files = readdirSync(tasks, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('/address'))
  return files.map((file) => readFileSync(join(tasks, file), 'utf8').trim().replace('unix://', ''))
}

async function unmountAll(folder: string): Promise<void> {
  // One mount may cover another: after a round the table is read again.
  for (let points = mountsIn(folder); points.length > 0; ) {
    await run('umount', ['--lazy', ...new Set(points)])
    const left = mountsIn(folder)
    if (left.length >= points.length) throw new Error(`${left[0]} cannot be unmounted`)
    points = left
  }
}
