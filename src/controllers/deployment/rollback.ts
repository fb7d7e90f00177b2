import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { quote } from '../../schema/quote.js'
import type { DeploymentAction, DeploymentObservation } from './actions.js'
import { allReplicaSets, isSameTemplate, withoutHash } from './replica-sets.js'
import {
  annotatedNumber,
  previousRevision,
  revisionNumber,
  rollbackAnnotation,
  rolledBackAnnotations,
} from './revisions.js'

/** The revision that an old client asks to go back to, 0 for the previous one. (Newer clients write the old template themselves.) */
export function rollbackRevision(deployment: Deployment): number | undefined {
  return annotatedNumber(deployment, rollbackAnnotation)
}

/** Gives the Deployment the template of an earlier revision. The next reconcile rolls it out like any other template. */
export function rollBack({ deployment, replicaSets }: DeploymentObservation): readonly DeploymentAction[] {
  const all = allReplicaSets(replicaSets)
  const revision = rollbackRevision(deployment) || previousRevision(all)
  if (revision === 0) return notFound(deployment, 'Unable to find last revision.')
  const target = all.find((each) => revisionNumber(each) === revision)
  if (!target) return notFound(deployment, 'Unable to find the revision to rollback to.')
  const name = quote(deployment.metadata.name!)
  if (isSameTemplate(deployment.spec.template, target.spec.template)) {
    const message = `The rollback revision contains the same template as current deployment ${name}`
    return [warning('DeploymentRollbackTemplateUnchanged', message), withoutRollback(deployment)]
  }
  const message = `Rolled back deployment ${name} to revision ${revision}`
  return [
    withoutRollback(withTemplateOf(deployment, target)),
    { do: 'record event', event: { type: 'Normal', reason: 'DeploymentRollback', message } },
  ]
}

function withTemplateOf(deployment: Deployment, target: ReplicaSet): Deployment {
  const { metadata, spec } = deployment
  const template = withoutHash(target.spec.template ?? {})
  const annotations = rolledBackAnnotations(deployment, target)
  return { ...deployment, metadata: { ...metadata, annotations }, spec: { ...spec, template } }
}

function notFound(deployment: Deployment, message: string): readonly DeploymentAction[] {
  return [warning('DeploymentRollbackRevisionNotFound', message), withoutRollback(deployment)]
}

function warning(reason: string, message: string): DeploymentAction {
  return { do: 'record event', event: { type: 'Warning', reason, message } }
}

/** Removes the annotation that asks for the rollback. */
function withoutRollback(deployment: Deployment): DeploymentAction {
  const { [rollbackAnnotation]: _, ...annotations } = deployment.metadata.annotations ?? {}
  return { do: 'update deployment', deployment: { ...deployment, metadata: { ...deployment.metadata, annotations } } }
}
