import { Quantity } from '../../schema/values/quantity.js'

/** So much of everything that nodes have and pods ask for, as plain numbers: thousandths of a CPU, bytes, pieces. Never changed. */
export interface ResourceAmounts {
  readonly milliCpu: number
  readonly memory: number
  readonly ephemeralStorage: number
  /** By name: what people bring themselves (`example.com/gpu`), huge pages, and whatever else is counted. */
  readonly extended: ReadonlyMap<string, number>
}

/** What the same pods count for where each container that says nothing is taken to need a little. Only scores use it. */
export interface NonZeroResources {
  readonly milliCpu: number
  readonly memory: number
}

const nothingExtended: ReadonlyMap<string, number> = new Map()

export const noResources: ResourceAmounts = { milliCpu: 0, memory: 0, ephemeralStorage: 0, extended: nothingExtended }

/** As a node or a container writes it. What no pod can ask for is left out. */
export function parseResources(amounts: Readonly<Record<string, string>> | undefined): ResourceAmounts {
  if (!amounts) return noResources
  const { cpu, memory, 'ephemeral-storage': storage } = amounts
  return {
    milliCpu: cpu === undefined ? 0 : Quantity.parse(cpu).milliValue(),
    memory: parseWholeQuantity(memory),
    ephemeralStorage: parseWholeQuantity(storage),
    extended: extendedOf(amounts),
  }
}

export function parseWholeQuantity(text: string | undefined): number {
  return text === undefined ? 0 : Quantity.parse(text).value()
}

function extendedOf(amounts: Readonly<Record<string, string>>): ReadonlyMap<string, number> {
  let extended: Map<string, number> | undefined
  for (const name in amounts) {
    if (!isCountedByName(name)) continue
    extended ??= new Map()
    extended.set(name, parseWholeQuantity(amounts[name]))
  }
  return extended ?? nothingExtended
}

/** Counted by name. What has a domain is somebody's; of what has none, only these two families are counted. */
export function isCountedByName(name: string): boolean {
  return name.includes('/') || name.startsWith('hugepages-') || name.startsWith('attachable-volumes-')
}

export function addResources(left: ResourceAmounts, right: ResourceAmounts): ResourceAmounts {
  return {
    milliCpu: left.milliCpu + right.milliCpu,
    memory: left.memory + right.memory,
    ephemeralStorage: left.ephemeralStorage + right.ephemeralStorage,
    extended: combined(left.extended, right.extended, (a, b) => a + b),
  }
}

export function subtractResources(left: ResourceAmounts, right: ResourceAmounts): ResourceAmounts {
  return {
    milliCpu: left.milliCpu - right.milliCpu,
    memory: left.memory - right.memory,
    ephemeralStorage: left.ephemeralStorage - right.ephemeralStorage,
    extended: combined(left.extended, right.extended, (a, b) => a - b),
  }
}

/** Of each the greater amount. */
export function maxResources(left: ResourceAmounts, right: ResourceAmounts): ResourceAmounts {
  return {
    milliCpu: Math.max(left.milliCpu, right.milliCpu),
    memory: Math.max(left.memory, right.memory),
    ephemeralStorage: Math.max(left.ephemeralStorage, right.ephemeralStorage),
    extended: combined(left.extended, right.extended, Math.max),
  }
}

function combined(
  left: ReadonlyMap<string, number>,
  right: ReadonlyMap<string, number>,
  combine: (left: number, right: number) => number,
): ReadonlyMap<string, number> {
  if (right.size === 0) return left
  const result = new Map(left)
  for (const [name, amount] of right) result.set(name, combine(result.get(name) ?? 0, amount))
  return result
}
