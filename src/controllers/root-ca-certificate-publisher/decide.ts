import type { ConfigMap } from '../../api/core/v1/config-map.js'
import type { Namespace } from '../../api/core/v1/namespace.js'

export interface PublisherObservation {
  readonly namespace: Namespace | undefined
  readonly known: ConfigMap | undefined
  /** The certificate to publish, in PEM form. */
  readonly authority: string
}

const descriptionKey = 'kubernetes.io/description'
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

/** The ConfigMap to write; undefined if it is right, or the namespace is not in use. Further labels and annotations stay. */
export function decide({
  namespace,
  known,
  authority,
}: PublisherObservation): Pick<ConfigMap, 'metadata' | 'data'> | undefined {
  if (namespace?.status?.phase !== 'Active' || (known && isRight(known, authority))) return undefined
  const annotations = { ...known?.metadata.annotations, [descriptionKey]: description }
  return { ...known, metadata: { ...known?.metadata, annotations }, data: { 'ca.crt': authority } }
}

/** Any description will do. */
function isRight({ data = {}, metadata }: ConfigMap, authority: string): boolean {
  const isSame = Object.keys(data).length === 1 && data['ca.crt'] === authority
  return isSame && (metadata.annotations?.[descriptionKey] ?? '') !== ''
}
