import type { ConfigMap } from '../../api/core/v1/config-map.js'

const descriptionKey = 'kubernetes.io/description'
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'

/** What must be there, given what is: all of it where nothing is, undefined where nothing needs to change. */
export function published(
  known: ConfigMap | undefined,
  authority: string,
): Pick<ConfigMap, 'metadata' | 'data'> | undefined {
  const data = { 'ca.crt': authority }
  if (known && isSaid(known, authority)) return undefined
  const annotations = { ...known?.metadata.annotations, [descriptionKey]: description }
  return { ...known, metadata: { ...known?.metadata, annotations }, data }
}

/** Who describes it in other words may. */
function isSaid({ data = {}, metadata }: ConfigMap, authority: string): boolean {
  const isSame = Object.keys(data).length === 1 && data['ca.crt'] === authority
  return isSame && (metadata.annotations?.[descriptionKey] ?? '') !== ''
}
