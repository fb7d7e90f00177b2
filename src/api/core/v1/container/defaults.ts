import type { Draft } from '../../../../schema/infer.js'
import { declareDefaults } from '../../../../schema/schema.js'
import { Container } from '../container.js'
import { EphemeralContainer } from './ephemeral-container.js'
import { defaultPullPolicy } from './pull-policy.js'

/** Containers of pods, and of templates of pods. What only pods get stands with the pod. */
export const containerDefaults = declareDefaults<Container>(Container, choosePullPolicy)

export const ephemeralContainerDefaults = declareDefaults<EphemeralContainer>(EphemeralContainer, choosePullPolicy)

function choosePullPolicy(container: Draft<Pick<Container, 'image' | 'imagePullPolicy'>>): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image)
}

/** Fields of containers that v1.36 knows but does not yet take. One that is in use already stays. */
export function dropDisabledContainerFields(container: Draft<Pick<Container, 'lifecycle'>>): void {
  if (container.lifecycle?.stopSignal === undefined) return
  const { stopSignal: _, ...rest } = container.lifecycle
  if (Object.keys(rest).length > 0) container.lifecycle = rest
  else delete container.lifecycle
}
