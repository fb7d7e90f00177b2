import type { Container } from '../../../api/core/v1/container.js'
import { visitContainers } from '../../../api/core/v1/pod/containers.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { invalid } from '../../../api/errors.js'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import { defineAdmissionPlugin } from '../definition.js'
import { isPod, isWrite } from '../request.js'

/** Makes every pod pull its images, so that a pod without credentials cannot use an image that another pod left on the node. */
export const alwaysPullImages = defineAdmissionPlugin<Pod>({
  name: 'AlwaysPullImages',
  position: 110,
  create: () => ({
    handles: (request) => isWrite(request) && isPod(request),
    mutate({ object }) {
      const pod = object!
      const { initContainers, containers } = pod.spec
      pod.spec = {
        ...pod.spec,
        ...(initContainers && { initContainers: initContainers.map(withPull) }),
        containers: containers.map(withPull),
      }
    },
    validate({ object }) {
      const pod = object!
      const errors: field.FieldError[] = []
      visitContainers(pod.spec as never, fieldPath('spec'), ({ imagePullPolicy }, path) => {
        if (imagePullPolicy !== 'Always')
          errors.push(field.notSupported(path.child('imagePullPolicy'), imagePullPolicy ?? '', ['Always']))
      })
      if (errors.length > 0) throw invalid({ group: '', kind: 'Pod' }, pod.metadata.name ?? '', errors)
    },
  }),
})

function withPull(container: Draft<Container>): Draft<Container> {
  return { ...container, imagePullPolicy: 'Always' }
}
