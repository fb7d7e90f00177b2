import type { Pod } from '../../../api/core/v1/pod.js'
import { badRequest } from '../../../api/errors.js'

/** Returns the requested container of a pod, or its only container if none is requested. */
export function containerNameFor({ metadata, spec }: Pod, requested: string): string {
  const { containers, initContainers = [], ephemeralContainers = [] } = spec
  if (requested === '') {
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
  const exists = [...containers, ...initContainers, ...ephemeralContainers].some(({ name }) => name === requested)
  if (!exists) throw badRequest(`container ${requested} is not valid for pod ${metadata.name}`)
  return requested
}

function namesText(containers: readonly { readonly name: string }[]): string {
  return `[${containers.map(({ name }) => name).join(' ')}]`
}
