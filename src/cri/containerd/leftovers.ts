import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Clock } from '../../base/clock.js'
import type { ContainerdPaths } from './configuration.js'
import { endProcesses, runningProcesses, signalProcess } from './processes.js'

const run = promisify(execFile)

/** Returns the pids of containerds that run in this folder, for example one whose parent died. */
export function containerdsOn({ configuration }: ContainerdPaths): number[] {
  return pidsByCommand((command) => command[1] === '--config' && command[2] === configuration)
}

/** Returns the pids of the shims of this folder's containerd, whether it runs or not. */
export function shimsOf({ socket }: ContainerdPaths): number[] {
  return pidsByCommand((command) => {
    const index = command.indexOf('-address')
    return index > 0 && command[index + 1] === socket
  })
}

function pidsByCommand(matches: (command: readonly string[]) => boolean): number[] {
  return runningProcesses().flatMap(({ pid, command }) => (matches(command) ? [pid] : []))
}

/** Returns the mount points in the folder, innermost first. The kernel reports paths without symbolic links. */
export function mountsIn(folder: string, table = readFileSync('/proc/self/mountinfo', 'utf8')): string[] {
  const real = existsSync(folder) ? realpathSync(folder) : folder
  const points = table.split('\n').flatMap((line) => {
    const point = line.split(' ')[4]
    return point === undefined ? [] : [unescapeMountPath(point)]
  })
  return points.filter((point) => point.startsWith(`${real}/`)).reverse()
}

/** The kernel escapes blanks and similar characters as octal numbers. */
function unescapeMountPath(path: string): string {
  return path.replace(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
}

/**
 * Kills and unmounts what a containerd has left in this folder: containers, shims, root filesystems, network namespaces and sockets.
 * Files and images stay. Call it only while no containerd runs in the folder.
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

/** Removes the socket files on which no process listens. */
export function removeDeadSockets(paths: Iterable<string>): void {
  const listening = readFileSync('/proc/net/unix', 'utf8')
  for (const path of paths) if (!listening.includes(path)) rmSync(path, { force: true })
}

/** Shims listen in a folder that all containerds of a host share. The `address` file of each task names its socket. */
export function shimSockets({ state }: ContainerdPaths): string[] {
  const tasks = join(state, 'io.containerd.runtime.v2.task')
  if (!existsSync(tasks)) return []
  const files = readdirSync(tasks, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('/address'))
  return files.map((file) => readFileSync(join(tasks, file), 'utf8').trim().replace('unix://', ''))
}

async function unmountAll(folder: string): Promise<void> {
  // One mount may cover another, so the mount table is read again after each round.
  for (let points = mountsIn(folder); points.length > 0; ) {
    await run('umount', ['--lazy', ...new Set(points)])
    const remaining = mountsIn(folder)
    if (remaining.length >= points.length) throw new Error(`${remaining[0]} cannot be unmounted`)
    points = remaining
  }
}
