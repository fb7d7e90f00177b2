import { isList, isObject } from '../../schema/json-value.js'

/**
 * The order of keys in the JSON of objects that the original makes itself: that of its own declarations, and not of the alphabet. One
 * list does for all of them, because what stands in several types stands in the same order there.
 */
const order = `
  kind apiVersion metadata name generateName namespace uid resourceVersion generation creationTimestamp labels annotations
  ownerReferences managedFields schedule concurrencyPolicy jobTemplate spec replicas image command args ports selector template strategy
  status volumes containers restartPolicy terminationGracePeriodSeconds dnsPolicy serviceAccountName serviceAccount nodeName hostPort
  containerPort protocol port targetPort nodePort env value resources limits requests terminationMessagePath terminationMessagePolicy
  imagePullPolicy securityContext stdin stdinOnce tty clusterIP clusterIPs type externalIPs sessionAffinity loadBalancerIP
  sessionAffinityConfig ipFamilies ipFamilyPolicy internalTrafficPolicy
`
  .trim()
  .split(/\s+/)

const ranks = new Map(order.map((key, index) => [key, index]))

/** Keys that are in no list stay where they are, after the others. */
export function inTypedOrder(value: unknown): unknown {
  if (isList(value)) return value.map(inTypedOrder)
  if (!isObject(value)) return value
  const rank = (key: string) => ranks.get(key) ?? order.length
  const keys = Object.keys(value).sort((left, right) => rank(left) - rank(right))
  return Object.fromEntries(keys.map((key) => [key, inTypedOrder(value[key])]))
}
