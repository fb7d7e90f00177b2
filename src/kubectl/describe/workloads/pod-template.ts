import type { PodSpec, TopologySpreadConstraint } from '../../../api/core/v1/pod/spec.js'
import type { PodTemplateSpec } from '../../../api/core/v1/pod-template.js'
import type { Toleration } from '../../../api/core/v1/taint.js'
import { labelSelectorText } from '../../../api/selectors/label-selector.js'
import { compareText } from '../../../schema/text-order.js'
import { annotationLines, labelLines } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { writeVolumes } from '../storage/volumes.js'
import { sortedKeys } from '../text.js'
import { writeContainers } from './containers.js'

/** Writes a pod template. */
export function writePodTemplate(page: DescriptionPage, template: PodTemplateSpec | undefined): void {
  page.line(0, 'Pod Template:')
  if (!template) {
    page.text('  <unset>')
    return
  }
  const { metadata, spec = { containers: [] } as unknown as PodSpec } = template
  labelLines(page, '  Labels', metadata?.labels)
  if (sortedKeys(metadata?.annotations).length > 0) annotationLines(page, '  Annotations', metadata?.annotations)
  if (spec.serviceAccountName) page.field('Service Account', spec.serviceAccountName, 1)
  const { initContainers = [] } = spec
  if (initContainers.length > 0) writeContainers(page, 'Init Containers', initContainers, { space: '  ' })
  writeContainers(page, 'Containers', spec.containers, { space: '  ' })
  writeVolumes(page, spec.volumes, '  ')
  writeTopologySpread(page, spec.topologySpreadConstraints, '  ')
  if (spec.priorityClassName) page.field('Priority Class Name', spec.priorityClassName, 1)
  labelLines(page, '  Node-Selectors', spec.nodeSelector)
  writeTolerations(page, '  Tolerations', spec.tolerations)
}

export function writeTopologySpread(
  page: DescriptionPage,
  constraints: readonly TopologySpreadConstraint[] = [],
  space = '',
): void {
  if (constraints.length === 0) return
  const sorted = [...constraints].sort((left, right) => compareText(left.topologyKey, right.topologyKey))
  const lines = sorted.map(({ topologyKey, whenUnsatisfiable, maxSkew, labelSelector }) => {
    const selector = labelSelector ? ` for selector ${labelSelectorText(labelSelector)}` : ''
    return `${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${selector}`
  })
  page.lines('Topology Spread Constraints', lines, space)
}

export function writeTolerations(page: DescriptionPage, label: string, tolerations: readonly Toleration[] = []): void {
  const sorted = [...tolerations].sort((left, right) => compareText(left.key ?? '', right.key ?? ''))
  page.lines(label, sorted.map(tolerationText))
}

function tolerationText({ key = '', value = '', effect, operator, tolerationSeconds }: Toleration): string {
  const what = `${key}${value === '' ? '' : `=${value}`}${effect ? `:${effect}` : ''}`
  const exists = operator === 'Exists' && value === '' ? `${what === '' ? '' : ' '}op=Exists` : ''
  return `${what}${exists}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`
}
