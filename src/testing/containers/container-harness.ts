import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemClock } from '../../base/clock.js'
import { containerdPaths } from '../../cri/containerd/configuration.js'
import { clearLeftovers, containerdsOn } from '../../cri/containerd/leftovers.js'
import { endProcesses } from '../../cri/containerd/processes.js'
import { findPrograms } from '../../cri/containerd/programs.js'
import { type ContainerHarness, cgroupsBelow, containerLeftOvers } from './container-left-overs.js'

export { type ContainerHarness, cgroupsBelow } from './container-left-overs.js'

const run = promisify(execFile)
const prefix = 'proa-ctd-'
const noteFile = 'harness.json'

let harnessCount = 0

/** Creates names and addresses that no other test process uses. First removes the harnesses of test processes that died. */
export async function createContainerHarness(): Promise<ContainerHarness> {
  await removeStaleHarnesses()
  const number = (process.pid * 4 + harnessCount++) % 65_536
  const harness: ContainerHarness = {
    folder: mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`)),
    bridge: `proa-t${number}`,
    cgroupParent: `/proa-test-${number}`,
    podRange: `10.${192 + (number >> 11)}.${(number >> 3) & 255}.${(number & 7) * 32}/27`,
  }
  writeFileSync(join(harness.folder, noteFile), JSON.stringify(harness))
  return harness
}

/** Returns the folder of the reference CNI plugins. */
export function networkPluginFolder(): string {
  const programs = findPrograms()
  if ('missing' in programs) throw new Error(`missing programs: ${programs.missing.join(', ')}`)
  return programs.found.networkPlugins
}

/** Writes the CNI configuration: a bridge, addresses of the node's range, and host ports. Its records are in the harness's folder. */
export function writeNetworkConfiguration(folder: string, { folder: root, bridge, podRange }: ContainerHarness): void {
  mkdirSync(folder, { recursive: true })
  const ipam = {
    type: 'host-local',
    dataDir: join(root, 'addresses'),
    ranges: [[{ subnet: podRange }]],
    routes: [{ dst: '0.0.0.0/0' }],
  }
  const plugins = [
    { type: 'bridge', bridge, isGateway: true, hairpinMode: true, ipam },
    { type: 'portmap', capabilities: { portMappings: true } },
  ]
  writeFileSync(join(folder, '10-proa.conflist'), JSON.stringify({ cniVersion: '0.4.0', name: bridge, plugins }))
}

/**
 * Removes what the runtime does not remove: the pods' cgroups, which the kubelet would remove, and the bridge, which CNI creates with the
 * first pod. Rejects with a list if anything else of the test is left.
 */
export async function removeContainerHarness(harness: ContainerHarness): Promise<void> {
  for (const parent of cgroupsBelow(harness.cgroupParent)) removeCgroups(parent)
  if (existsSync(`/sys/class/net/${harness.bridge}`)) await run('ip', ['link', 'delete', harness.bridge])
  const leftOvers = containerLeftOvers(harness)
  if (leftOvers.length > 0) throw new Error(`a test left behind:\n${leftOvers.join('\n')}`)
  rmSync(harness.folder, { recursive: true })
}

/** Removes a cgroup and its children, children first. Throws if a cgroup still has processes. */
export function removeCgroups(path: string): void {
  for (const entry of readdirSync(path, { withFileTypes: true }))
    if (entry.isDirectory()) removeCgroups(join(path, entry.name))
  rmdirSync(path)
}

async function removeStaleHarnesses(): Promise<void> {
  const programs = findPrograms()
  if ('missing' in programs) return
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = /^proa-ctd-(\d+)-/.exec(name) ?? []
    const folder = join(tmpdir(), name)
    if (pid === undefined || existsSync(`/proc/${pid}`) || !existsSync(join(folder, noteFile))) continue
    const harness = claimStaleHarness(folder)
    // Left-overs of another test must not fail this one.
    if (harness) await removeStaleHarness(harness, programs.found.runc).catch(logToStderr)
  }
}

function logToStderr(error: Error): void {
  process.stderr.write(`${error.message}\n`)
}

/** Claims a stale harness by renaming its note: only one of several test processes succeeds. */
function claimStaleHarness(folder: string): ContainerHarness | undefined {
  const taken = join(folder, `${noteFile}.${process.pid}`)
  try {
    renameSync(join(folder, noteFile), taken)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return JSON.parse(readFileSync(taken, 'utf8'))
}

async function removeStaleHarness(harness: ContainerHarness, runc: string): Promise<void> {
  const paths = containerdPaths(harness.folder)
  await endProcesses(containerdsOn(paths), systemClock, 1000)
  await clearLeftovers(paths, runc, systemClock)
  rmSync(join(harness.folder, 'addresses'), { recursive: true, force: true })
  await removeContainerHarness(harness)
}
