import type { Pod } from '../../api/core/v1/pod.js'
import { Quantity } from '../../schema/values/quantity.js'

const medium = 'HugePages'
const resource = 'hugepages-'

export function isHugePages(name: string): boolean {
  return name === medium || name.startsWith(`${medium}-`)
}

/** The size of page that a volume of huge pages has: the one that its medium names, or else the only one that its pod asks for. */
export function hugePageSize(name: string, { spec }: Pod): string {
  const lists = [spec, ...spec.containers, ...(spec.initContainers ?? [])].map(({ resources }) => resources?.requests)
  const sizes = lists
    .flatMap((requests) => Object.keys(requests ?? {}))
    .filter((request) => request.startsWith(resource))
    .map((request) => Quantity.parse(request.slice(resource.length)))
  const [size] = name === medium ? onlyOne(sizes, name) : sizes.filter((size) => size.equals(sizeOfMedium(name)))
  if (!size)
    throw new Error(`medium ${name}: hugePages storage requested, but there is no resource request for huge pages`)
  return size.toString()
}

function onlyOne(sizes: readonly Quantity[], name: string): readonly Quantity[] {
  const [first] = sizes
  if (sizes.some((size) => !size.equals(first!)))
    throw new Error(`medium: ${name} can't be used if container requests multiple huge page sizes`)
  return sizes
}

function sizeOfMedium(name: string): Quantity {
  return Quantity.parse(name.slice(medium.length + 1))
}
