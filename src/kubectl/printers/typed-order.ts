import { isList, isObject } from '../../schema/json-value.js'
import { compareText } from '../../schema/text-order.js'

/**
 * The key order in JSON of objects that upstream builds itself: the order of fields in its Go types. One list is enough for nearly all
 * types, because they agree on the order.
 */
const usual = ordered(`
  kind apiVersion metadata name generateName namespace uid resourceVersion generation creationTimestamp labels annotations
  ownerReferences managedFields minAvailable schedule concurrencyPolicy subjects
  roleRef immutable data binaryData stringData value globalDefault description preemptionPolicy ingressClassName defaultBackend tls rules aggregationRule spec
  parallelism completions backoffLimit host http paths path pathType backend service hosts secretName replicas image command args ports
  hard scopes matchLabels matchExpressions key operator values selector maxUnavailable manualSelector template strategy status volumes containers
  restartPolicy terminationGracePeriodSeconds dnsPolicy serviceAccountName serviceAccount nodeName hostPort containerPort protocol port
  targetPort nodePort env resources limits requests terminationMessagePath terminationMessagePolicy imagePullPolicy
  securityContext stdin stdinOnce tty clusterIP clusterIPs type externalIPs sessionAffinity loadBalancerIP externalName
  externalTrafficPolicy sessionAffinityConfig ipFamilies ipFamilyPolicy allocateLoadBalancerNodePorts internalTrafficPolicy
  completionMode suspend jobTemplate podReplacementPolicy successfulJobsHistoryLimit failedJobsHistoryLimit loadBalancer used disruptionsAllowed
  scaleTargetRef minReplicas maxReplicas targetCPUUtilizationPercentage currentReplicas desiredReplicas
  currentHealthy desiredHealthy expectedPods
`)

/** Fields whose types have another order. */
const others: Readonly<Record<string, ReadonlyMap<string, number>>> = {
  ownerReferences: ordered('apiVersion kind name uid controller blockOwnerDeletion'),
  roleRef: ordered('apiGroup kind name'),
  subjects: ordered('kind apiGroup name namespace'),
  rules: ordered('verbs apiGroups resources resourceNames nonResourceURLs'),
  boundObjectRef: ordered('kind apiVersion name uid'),
  scaleTargetRef: ordered('kind name apiVersion'),
}

/** Maps with keys that users choose. They are sorted. */
const maps: ReadonlySet<string> = new Set('labels annotations data binaryData matchLabels hard'.split(' '))

function ordered(words: string): ReadonlyMap<string, number> {
  return new Map(
    words
      .trim()
      .split(/\s+/)
      .map((key, index) => [key, index]),
  )
}

/** Sorts keys in field order. Unknown keys come last and keep their order. `field` is the field that holds the value. */
export function inTypedOrder(value: unknown, field = ''): unknown {
  if (isList(value)) return value.map((item) => inTypedOrder(item, field))
  if (!isObject(value)) return value
  const keys = Object.keys(value)
  if (maps.has(field)) return Object.fromEntries(keys.sort(compareText).map((key) => [key, value[key]]))
  const ranks = others[field] ?? usual
  const rank = (key: string) => ranks.get(key) ?? usual.size
  const inOrder = keys.sort((left, right) => rank(left) - rank(right))
  return Object.fromEntries(inOrder.map((key) => [key, inTypedOrder(value[key], key)]))
}
