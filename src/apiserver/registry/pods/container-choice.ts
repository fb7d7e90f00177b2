import type { Pod } from '../../../api/core/v1/pod.js'
import { badRequest } from '../../../api/errors.js'

/** Which container of a pod is meant; a pod that has only one need not be told. */
export function containerNameFor({ metadata, spec }: Pod, asked: string): string {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec
  if (asked === '') {
    if (containers.length === 1) return containers[0]!.name
    throw badRequest(
      [
        `a container name must be specified for pod ${metadata.name}`,
        ...(containers.length > 0 ? [`, choose one of: ${namesText(containers)}`] : []),
        ...(initContainers.length > 0 ? [` or one of the init containers: ${namesText(initContainers)}`] : []),
        ...(ephemeralContainers.length > 0
          ? [` or one of the ephemeral containers: ${namesText(ephemeralContainers)}`]
          : []),
      ].join(''),
    )
  }
  const isKnown = [...containers, ...initContainers, ...ephemeralContainers].some(({ name }) => name === asked)
  if (!isKnown) throw badRequest(`container ${asked} is not valid for pod ${metadata.name}`)
  return asked
}

function namesText(containers: readonly { readonly name: string }[]): string {
  return `[${containers.map(({ name }) => name).join(' ')}]`
}
