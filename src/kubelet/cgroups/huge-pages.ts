import { existsSync, readdirSync } from 'node:fs'
import { isHugePages } from '../../api/core/v1/resource-requirements/resource-names.js'
import { Quantity } from '../../schema/values/quantity.js'

const units = ['B', 'KB', 'MB', 'GB', 'TB', 'PB']

/** Returns the huge page sizes of this host, as cgroups name them: `2MB`, `1GB`. */
export function hugePageSizes(folder = '/sys/kernel/mm/hugepages'): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const [, kilobytes] = /^hugepages-(\d+)kB$/.exec(name) ?? []
    return kilobytes === undefined ? [] : [sizeName(Number(kilobytes) * 1024)]
  })
}

function sizeName(bytes: number): string {
  const unit = Math.floor(Math.log2(bytes) / 10)
  return `${bytes / 1024 ** unit}${units[unit]}`
}

/** Returns limits in bytes by page size. Sizes that are not requested have the limit 0. */
export function hugePageLimits(
  amounts: Iterable<readonly [name: string, amount: Quantity]>,
  sizes: readonly string[],
): ReadonlyMap<string, number> {
  const limits = new Map(sizes.map((size) => [size, 0]))
  for (const [name, amount] of amounts) {
    if (!isHugePages(name)) continue
    const size = sizeName(Quantity.parse(name.slice('hugepages-'.length)).value())
    if (limits.has(size)) limits.set(size, limits.get(size)! + amount.value())
  }
  return limits
}
