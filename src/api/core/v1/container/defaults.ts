import type { Draft } from '../../../../schema/infer.js'
import { declareDefaults } from '../../../../schema/schema.js'
import { Container } from '../container.js'
import { EphemeralContainer } from './ephemeral-container.js'
import { defaultPullPolicy } from './pull-policy.js'

/** Defaults of containers in pods and templates. Those for pods only are in `pod/defaults.ts`. */
export const containerDefaults = declareDefaults<Container>(Container, choosePullPolicy)

export const ephemeralContainerDefaults = declareDefaults<EphemeralContainer>(EphemeralContainer, choosePullPolicy)

function choosePullPolicy(container: Draft<Pick<Container, 'image' | 'imagePullPolicy'>>): void {
  container.imagePullPolicy ||= defaultPullPolicy(container.image)
}

/** Removes fields whose feature is off in v1.36, unless the old container has them. */
export function dropDisabledContainerFields(container: Draft<Pick<Container, 'lifecycle'>>): void {
  if (container.lifecycle?.stopSignal === undefined) return
  const { stopSignal: _, ...rest } = container.lifecycle
  if (Object.keys(rest).length > 0) container.lifecycle = rest
  else delete container.lifecycle
}
