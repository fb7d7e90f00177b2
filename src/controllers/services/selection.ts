import type { Pod } from '../../api/core/v1/pod.js'
import { Service } from '../../api/core/v1/service.js'
import { keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { podsMatching } from '../pods/matching-pods.js'
import { selectorOfLabels } from '../pods/selectors.js'

type Labels = Readonly<Record<string, string>>

const bySelector = 'first label of the selector'

/** Whether pods are chosen for it here: it has a selector, and is not only a name for something elsewhere. */
export function choosesPods({ spec }: Service): boolean {
  return spec.type !== 'ExternalName' && Object.keys(spec.selector ?? {}).length > 0
}

export function podsOf(service: Service, informers: SharedInformers): readonly Pod[] {
  const selector = selectorOfLabels(service.spec.selector)
  return [...podsMatching(informers, service.metadata.namespace!, selector)]
}

/** The keys of the services that choose what has these labels. */
export function* servicesChoosing(informers: SharedInformers, namespace: string, labels: Labels): Iterable<string> {
  const services = informers.of(Service)
  services.addIndex(bySelector, ({ metadata, spec }) => {
    const [first] = Object.entries(spec.selector ?? {})
    return first ? [filedUnder(metadata.namespace!, ...first)] : []
  })
  for (const [key, value] of Object.entries(labels))
    for (const service of services.by(bySelector, filedUnder(namespace, key, value)))
      if (selectorOfLabels(service.spec.selector).matches(labels)) yield keyOf(service)
}

function filedUnder(namespace: string, key: string, value: string): string {
  return `${namespace}/${key}=${value}`
}
