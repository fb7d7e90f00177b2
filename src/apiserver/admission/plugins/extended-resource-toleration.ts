import { visitContainers } from '../../../api/core/v1/pod/containers.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { isExtendedResource } from '../../../api/core/v1/resource-requirements/resource-names.js'
import { FieldPath } from '../../../schema/field-path.js'
import { defineAdmissionPlugin } from '../definition.js'
import { isPod, isWrite } from '../request.js'

/** Adds tolerations for the extended resources that a pod requests, because nodes with such a resource are tainted by its name. */
export const extendedResourceToleration = defineAdmissionPlugin<Pod>({
  name: 'ExtendedResourceToleration',
  position: 190,
  create: () => ({
    handles: (request) => isWrite(request) && isPod(request),
    mutate({ object }) {
      const pod = object!
      const requested = new Set<string>()
      visitContainers(pod.spec as never, FieldPath.none, ({ resources }) => {
        for (const name of Object.keys(resources?.requests ?? {})) if (isExtendedResource(name)) requested.add(name)
      })
      const present = pod.spec.tolerations ?? []
      const missing = [...requested]
        .sort()
        .filter((key) => !present.some((one) => one.key === key && one.operator === 'Exists'))
      if (missing.length > 0)
        pod.spec = {
          ...pod.spec,
          tolerations: [...present, ...missing.map((key) => ({ key, operator: 'Exists' as const }))],
        }
    },
  }),
})
