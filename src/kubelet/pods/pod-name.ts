import type { Pod } from '../../api/core/v1/pod.js'

/** By which people know a pod: another one may have had it before. */
export function fullName({ metadata: { namespace, name } }: Pod): string {
  return `${namespace}/${name}`
}
