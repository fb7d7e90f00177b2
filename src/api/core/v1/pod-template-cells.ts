import type { PodTemplateSpec } from './pod-template.js'

/** The wide columns of everything that has a pod template: names of its containers, and their images. */
export function containersCell({ spec }: PodTemplateSpec): string {
  return (spec?.containers ?? []).map(({ name }) => name).join(',')
}

export function imagesCell({ spec }: PodTemplateSpec): string {
  return (spec?.containers ?? []).map(({ image = '' }) => image).join(',')
}
