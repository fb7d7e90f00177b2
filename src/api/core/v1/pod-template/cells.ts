import { compareText } from '../../../../schema/text-order.js'
import type { PodTemplateSpec } from '../pod-template.js'

/** The wide columns of workloads: names of the containers, and their images. */
export function containersCell({ spec }: PodTemplateSpec): string {
  return (spec?.containers ?? []).map(({ name }) => name).join(',')
}

export function imagesCell({ spec }: PodTemplateSpec): string {
  return (spec?.containers ?? []).map(({ image = '' }) => image).join(',')
}

/** Labels in the form of a selector. */
export function labelsCell(labels: Readonly<Record<string, string>> | undefined): string {
  const texts = Object.keys(labels ?? {})
    .sort(compareText)
    .map((key) => `${key}=${labels![key]}`)
  return texts.length === 0 ? '<none>' : texts.join(',')
}
