import { existsSync, readFileSync } from 'node:fs'
import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { quote } from '../../schema/quote.js'
import { compareText } from '../../schema/text-order.js'
import { CpuSet } from './cpu-set.js'

/** CPU assignments by pod and container. CPUs that are not exclusive are shared. */
export interface CpuState {
  readonly policy: string
  readonly shared: CpuSet
  readonly exclusive: ReadonlyMap<string, ReadonlyMap<string, CpuSet>>
}

interface Checkpoint {
  readonly policyName: string
  readonly defaultCpuSet: string
  readonly entries?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly checksum: number
}

/**
 * Returns undefined if there is no checkpoint. Throws if it is corrupted. The format is upstream's, so that either kubelet can continue.
 */
export function readCheckpoint(file: string): CpuState | undefined {
  if (!existsSync(file)) return undefined
  const text = readFileSync(file, 'utf8')
  if (text === '') return undefined
  const { policyName, defaultCpuSet, entries = {}, checksum } = JSON.parse(text) as Checkpoint
  const state = {
    policy: policyName,
    shared: CpuSet.parse(defaultCpuSet),
    exclusive: new Map(
      Object.entries(entries).map(([uid, containers]) => [
        uid,
        new Map(Object.entries(containers).map(([name, cpus]) => [name, CpuSet.parse(cpus)])),
      ]),
    ),
  }
  if (checksum !== 0 && checksum !== checksumOf(state)) throw new Error('checkpoint is corrupted')
  return state
}

/** Replaces the file atomically. It is on disk when this resolves. */
export async function writeCheckpoint(file: string, state: CpuState): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const handle = await open(`${file}.new`, 'w', 0o600)
  try {
    await handle.writeFile(checkpointText(state))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(`${file}.new`, file)
}

export function checkpointText(state: CpuState): string {
  const { policy: policyName, shared, exclusive } = state
  const entries = Object.fromEntries(
    sorted(exclusive).map(([uid, containers]) => [
      uid,
      Object.fromEntries(sorted(containers).map(([name, cpus]) => [name, cpus.toString()])),
    ]),
  )
  return JSON.stringify({
    policyName,
    defaultCpuSet: shared.toString(),
    ...(exclusive.size > 0 && { entries }),
    checksum: checksumOf(state),
  })
}

/** Checksum of upstream's text form with Go types: FNV-1a over its bytes. */
function checksumOf({ policy, shared, exclusive }: CpuState): number {
  const entries = sorted(exclusive)
    .map(
      ([uid, containers]) =>
        `${uid}:map[${sorted(containers)
          .map(([name, cpus]) => `${name}:${cpus}`)
          .join(' ')}]`,
    )
    .join(' ')
  const shown = [
    `PolicyName:(string)${policy}`,
    `DefaultCPUSet:(string)${shared}`,
    `Entries:(map[string]map[string]string)map[${entries}]`,
    'Checksum:(checksum.Checksum)0',
  ].join(' ')
  return fnv32a(`(*state.CPUManagerCheckpoint){${shown}}`)
}

function sorted<Value>(map: ReadonlyMap<string, Value>): readonly (readonly [string, Value])[] {
  return [...map].sort(([left], [right]) => compareText(left, right))
}

function fnv32a(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

interface CpuExpectations {
  readonly policy: string
  readonly all: CpuSet
  readonly reserved: CpuSet
  readonly file: string
}

/** Throws in upstream's words if a checkpoint does not match the policy or the CPUs of this host. */
export function verifyState(state: CpuState, { policy, all, reserved, file }: CpuExpectations): void {
  verifyPolicy(state, policy, file)
  const problem = conflict(state, { all, reserved })
  if (problem !== undefined) throw unusable(problem, file)
}

/** Throws in upstream's words if a checkpoint has another policy. */
export function verifyPolicy(state: CpuState, policy: string, file: string): void {
  if (state.policy === policy) return
  throw unusable(`configured policy ${quote(policy)} differs from state checkpoint policy ${quote(state.policy)}`, file)
}

function unusable(problem: string, file: string): Error {
  return new Error(
    `could not restore state from checkpoint: ${problem}, please drain this node and delete the CPU manager checkpoint file ${quote(file)} before restarting Kubelet`,
  )
}

function conflict(
  { shared, exclusive }: CpuState,
  { all, reserved }: Pick<CpuExpectations, 'all' | 'reserved'>,
): string | undefined {
  if (reserved.without(shared).size > 0)
    return `not all reserved cpus: "${reserved}" are present in defaultCpuSet: "${shared}"`
  for (const [uid, containers] of exclusive)
    for (const [name, cpus] of containers)
      if (cpus.intersection(shared).size > 0)
        return `pod: ${uid}, container: ${name} cpuset: "${cpus}" overlaps with default cpuset "${shared}"`
  const known = shared.union(...[...exclusive.values()].flatMap((containers) => [...containers.values()]))
  return known.equals(all)
    ? undefined
    : `current set of available CPUs "${all}" doesn't match with CPUs in state "${known}"`
}
