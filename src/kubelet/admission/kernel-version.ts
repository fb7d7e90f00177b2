/** Returns whether a kernel (`5.10.0-33-amd64`) is at least the given version (`4.15`). False if the kernel version is unknown. */
export function isKernelSince(kernel: string, least: string): boolean {
  const have = numbersIn(kernel)
  const need = numbersIn(least)
  if (have.length === 0) return false
  for (const [i, number] of need.entries()) {
    const difference = (have[i] ?? 0) - number
    if (difference !== 0) return difference > 0
  }
  return true
}

function numbersIn(version: string): readonly number[] {
  return /^\d+(\.\d+)*/.exec(version)?.[0].split('.').map(Number) ?? []
}
