/** What the tests of a pod's spec start from: a spec with which nothing is wrong. */
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

/** What is wrong with it once some of its fields are others. */
export function problems(spec: Partial<PodSpec>, context: Partial<PodRulesContext> = {}): readonly string[] {
  return validatePodSpec({ ...good, ...spec }, fieldPath('spec'), { allowPrivileged: false, ...context }).map(String)
}
