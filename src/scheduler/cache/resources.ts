import { Quantity } from '../../schema/values/quantity.js'

/** Amounts of resources as plain numbers: thousandths of a CPU, bytes, pieces. Immutable. */
export interface ComputeResources {
  readonly milliCpu: number
  readonly memory: number
  readonly ephemeralStorage: number
  /** By name: extended resources (`example.com/gpu`), huge pages, attachable volumes. */
  readonly extended: ReadonlyMap<string, number>
}

/** Requests in which a container without a request counts with a default. Only scores use them. */
export interface NonZeroResources {
  readonly milliCpu: number
  readonly memory: number
}

const noExtended: ReadonlyMap<string, number> = new Map()

export const noResources: ComputeResources = { milliCpu: 0, memory: 0, ephemeralStorage: 0, extended: noExtended }

/** Names that no pod can request are left out. */
export function parseResources(amounts: Readonly<Record<string, string>> | undefined): ComputeResources {
  if (!amounts) return noResources
  const { cpu, memory, 'ephemeral-storage': storage } = amounts
  return {
    milliCpu: cpu === undefined ? 0 : Quantity.parse(cpu).milliValue(),
    memory: parseWholeQuantity(memory),
    ephemeralStorage: parseWholeQuantity(storage),
    extended: parseExtended(amounts),
  }
}

/** Rounded up; 0 for undefined. */
export function parseWholeQuantity(text: string | undefined): number {
  return text === undefined ? 0 : Quantity.parse(text).value()
}

function parseExtended(amounts: Readonly<Record<string, string>>): ReadonlyMap<string, number> {
  let extended: Map<string, number> | undefined
  for (const name in amounts) {
    if (!isCountedByName(name)) continue
    extended ??= new Map()
    extended.set(name, parseWholeQuantity(amounts[name]))
  }
  return extended ?? noExtended
}

/** Names with a domain are extended resources. Of the others only these two families are counted. */
export function isCountedByName(name: string): boolean {
  return name.includes('/') || name.startsWith('hugepages-') || name.startsWith('attachable-volumes-')
}

export function addResources(left: ComputeResources, right: ComputeResources): ComputeResources {
  return {
    milliCpu: left.milliCpu + right.milliCpu,
    memory: left.memory + right.memory,
    ephemeralStorage: left.ephemeralStorage + right.ephemeralStorage,
    extended: combineExtended(left.extended, right.extended, (a, b) => a + b),
  }
}

export function subtractResources(left: ComputeResources, right: ComputeResources): ComputeResources {
  return {
    milliCpu: left.milliCpu - right.milliCpu,
    memory: left.memory - right.memory,
    ephemeralStorage: left.ephemeralStorage - right.ephemeralStorage,
    extended: combineExtended(left.extended, right.extended, (a, b) => a - b),
  }
}

/** The larger amount of each resource. */
export function maxResources(left: ComputeResources, right: ComputeResources): ComputeResources {
  return {
    milliCpu: Math.max(left.milliCpu, right.milliCpu),
    memory: Math.max(left.memory, right.memory),
    ephemeralStorage: Math.max(left.ephemeralStorage, right.ephemeralStorage),
    extended: combineExtended(left.extended, right.extended, Math.max),
  }
}

function combineExtended(
  left: ReadonlyMap<string, number>,
  right: ReadonlyMap<string, number>,
  combine: (left: number, right: number) => number,
): ReadonlyMap<string, number> {
  if (right.size === 0) return left
  const result = new Map(left)
  for (const [name, amount] of right) result.set(name, combine(result.get(name) ?? 0, amount))
  return result
}
