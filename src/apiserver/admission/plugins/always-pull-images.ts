import type { Container } from '../../../api/core/v1/container.js'
import { visitContainers } from '../../../api/core/v1/pod/containers.js'
import { invalid } from '../../../api/errors.js'
import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import type { Draft } from '../../../schema/infer.js'
import type { AdmissionPlugin } from '../admission.js'
import { isPod, podOf } from '../requests.js'

/** Whoever wants an image must be able to pull it: that it lies on some node is no credential. */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  handles: (request) => (request.operation === 'CREATE' || request.operation === 'UPDATE') && isPod(request),
  mutate(request) {
    const pod = podOf(request)
    const { initContainers, containers } = pod.spec
    pod.spec = {
      ...pod.spec,
      ...(initContainers && { initContainers: initContainers.map(pulled) }),
      containers: containers.map(pulled),
    }
  },
  validate(request) {
    const pod = podOf(request)
    const errors: field.FieldError[] = []
    visitContainers(pod.spec as never, fieldPath('spec'), ({ imagePullPolicy }, path) => {
      if (imagePullPolicy !== 'Always')
        errors.push(field.notSupported(path.child('imagePullPolicy'), imagePullPolicy ?? '', ['Always']))
    })
    if (errors.length > 0) throw invalid({ group: '', kind: 'Pod' }, pod.metadata.name ?? '', errors)
  },
}

function pulled(container: Draft<Container>): Draft<Container> {
  return { ...container, imagePullPolicy: 'Always' }
}
