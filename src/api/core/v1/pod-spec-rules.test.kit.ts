/** A valid pod spec for tests. */
import { fieldPath } from '../../../schema/field-path.js'
import type { PodSpec } from './pod/spec.js'
import { validatePodSpec } from './pod/spec-validation.js'
import type { PodRulesContext } from './pod/validation-context.js'

export const app = {
  name: 'app',
  image: 'nginx',
  imagePullPolicy: 'Always',
  terminationMessagePolicy: 'File',
} as const

export const good: PodSpec = {
  containers: [app],
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  terminationGracePeriodSeconds: 30,
  securityContext: {},
}

/** The errors of the valid spec with some fields replaced. */
export function problems(spec: Partial<PodSpec>, context: Partial<PodRulesContext> = {}): readonly string[] {
  return validatePodSpec({ ...good, ...spec }, fieldPath('spec'), { allowPrivileged: false, ...context }).map(String)
}
