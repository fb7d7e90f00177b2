import { FieldPath } from '../../../../schema/field-path.js'
import type { Pod } from '../pod.js'
import { visitContainers } from './containers.js'

/** The names of all config maps that a pod refers to, wherever it does. */
export function podConfigMapNames({ spec }: Pod): ReadonlySet<string> {
  const names = new Set<string>()
  const add = (name: string | undefined) => {
    if (name) names.add(name)
  }
  visitContainers(spec, FieldPath.none, ({ env = [], envFrom = [] }) => {
    for (const { valueFrom } of env) add(valueFrom?.configMapKeyRef?.name)
    for (const { configMapRef } of envFrom) add(configMapRef?.name)
  })
  for (const { configMap, projected } of spec.volumes ?? []) {
    add(configMap?.name)
    for (const source of projected?.sources ?? []) add(source.configMap?.name)
  }
  return names
}
