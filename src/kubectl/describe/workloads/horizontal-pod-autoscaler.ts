import type {
  HorizontalPodAutoscaler,
  HPAScalingRules,
  MetricSpec,
  MetricStatus,
  MetricTarget,
  MetricValueStatus,
} from '../../../api/autoscaling/v2/horizontal-pod-autoscaler.js'
import { quote } from '../../../schema/quote.js'
import type { Describe } from '../context.js'
import { eventsOf } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { unsetText } from '../text.js'
import { longTime } from '../times.js'

const unknown = '<unknown>'

export const describeHorizontalPodAutoscaler: Describe<HorizontalPodAutoscaler> = async (autoscaler, on) => {
  const { page } = on
  const { metadata, spec, status } = autoscaler
  const { scaleTargetRef, metrics = [], behavior } = spec
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  labelsAndAnnotations(page, metadata)
  page.field('CreationTimestamp', longTime(metadata.creationTimestamp))
  page.field('Reference', `${scaleTargetRef.kind}/${scaleTargetRef.name}`)
  page.field('Metrics', '( current / target )')
  for (const [index, metric] of metrics.entries()) page.line(1, metricText(metric, status.currentMetrics?.[index]))
  page.field('Min replicas', spec.minReplicas ?? unsetText)
  page.field('Max replicas', spec.maxReplicas)
  if (behavior) {
    page.line(0, 'Behavior:')
    writeRules(page, 'Scale Up', behavior.scaleUp)
    writeRules(page, 'Scale Down', behavior.scaleDown)
  }
  const { currentReplicas = 0, desiredReplicas } = status
  page.field(`${scaleTargetRef.kind} pods`, `${currentReplicas} current / ${desiredReplicas ?? 0} desired`)
  writeConditions(page, autoscaler)
  await eventsOf(autoscaler, on)
}

function metricText(metric: MetricSpec, now: MetricStatus | undefined): string {
  const { external, pods, object, resource, containerResource } = metric
  if (external) {
    const isAverage = external.target.averageValue !== undefined
    const label = `${quote(external.metric.name)} (target ${isAverage ? 'average ' : ''}value)`
    return `${label}:\t${amounts(now?.external?.current, external.target, isAverage)}`
  }
  if (pods) return `${quote(pods.metric.name)} on pods:\t${amounts(now?.pods?.current, pods.target, true)}`
  if (object) {
    const isAverage = object.target.type === 'AverageValue'
    const { kind, name } = object.describedObject
    const label = `"${object.metric.name}" on ${kind}/${name} (target ${isAverage ? 'average ' : ''}value)`
    return `${label}:\t${amounts(now?.object?.current, object.target, isAverage)}`
  }
  if (resource) return `resource ${resource.name} on pods${utilisation(now?.resource?.current, resource.target)}`
  if (!containerResource) return `<unknown metric type ${quote(metric.type)}>`
  const { name, container, target } = containerResource
  return `resource ${name} of container "${container}" on pods${utilisation(now?.containerResource?.current, target)}`
}

function amounts(current: MetricValueStatus | undefined, target: MetricTarget, isAverage: boolean): string {
  const now = isAverage ? current?.averageValue : current?.value
  return `${now ?? unknown} / ${(isAverage ? target.averageValue : target.value) ?? '<nil>'}`
}

/** A target is either an amount per pod or a share of the pod's request. */
function utilisation(current: MetricValueStatus | undefined, target: MetricTarget): string {
  if (target.averageValue !== undefined) return `:\t${amounts(current, target, true)}`
  const { averageUtilization: part, averageValue = '0' } = current ?? {}
  const now = part === undefined ? unknown : `${part}% (${averageValue})`
  const wanted = target.averageUtilization === undefined ? '<auto>' : `${target.averageUtilization}%`
  return `  (as a percentage of request):\t${now} / ${wanted}`
}

function writeRules(page: DescriptionPage, label: string, rules: HPAScalingRules | undefined): void {
  if (!rules) return
  const { stabilizationWindowSeconds: seconds, policies = [], selectPolicy = 'Max' } = rules
  page.line(1, `${label}:`)
  if (seconds !== undefined) page.line(2, `Stabilization Window: ${seconds} seconds`)
  if (policies.length === 0) return
  page.line(2, `Select Policy: ${selectPolicy}`)
  page.line(2, 'Policies:')
  for (const { type, value, periodSeconds } of policies)
    page.line(3, `- Type: ${type}`, `Value: ${value}`, `Period: ${periodSeconds} seconds`)
}

function writeConditions(page: DescriptionPage, { status }: HorizontalPodAutoscaler): void {
  const { conditions = [] } = status
  if (conditions.length === 0) return
  page.line(0, 'Conditions:')
  page.line(1, 'Type', 'Status', 'Reason', 'Message')
  page.line(1, '----', '------', '------', '-------')
  for (const { type, status: state, reason = '', message = '' } of conditions)
    page.line(1, type, state, reason, message)
}
