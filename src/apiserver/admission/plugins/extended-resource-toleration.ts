import { visitContainers } from '../../../api/core/v1/pod/containers.js'
import { isExtendedResource } from '../../../api/core/v1/resource-requirements/resource-names.js'
import { FieldPath } from '../../../schema/field-path.js'
import type { AdmissionPlugin } from '../admission.js'
import { isPod, podOf } from '../requests.js'

/** Who asks for a special resource tolerates the nodes that are kept free for it. */
export const extendedResourceToleration: AdmissionPlugin = {
  name: 'ExtendedResourceToleration',
  handles: (request) => (request.operation === 'CREATE' || request.operation === 'UPDATE') && isPod(request),
  mutate(request) {
    const pod = podOf(request)
    const asked = new Set<string>()
    visitContainers(pod.spec as never, FieldPath.none, ({ resources }) => {
      for (const name of Object.keys(resources?.requests ?? {})) if (isExtendedResource(name)) asked.add(name)
    })
    const present = pod.spec.tolerations ?? []
    const missing = [...asked]
      .sort()
      .filter((key) => !present.some((one) => one.key === key && one.operator === 'Exists'))
    if (missing.length > 0)
      pod.spec = {
        ...pod.spec,
        tolerations: [...present, ...missing.map((key) => ({ key, operator: 'Exists' as const }))],
      }
  },
}
