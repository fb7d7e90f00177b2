import { Node } from '../../api/core/v1/node.js'
import { hasReason } from '../../api/errors.js'
import { Backoff } from '../../base/backoff.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import { newNode, type Registration, withKubeletLabels } from './node-object.js'
import { hasChanged, nodePatch } from './node-patch.js'
import type { NodeReport } from './node-report.js'

/** Upstream's back-off in milliseconds. */
const retries = { initial: 100, max: 7000 }

export interface NodeRegistrationDependencies {
  readonly environment: Environment
  readonly client: Client
  readonly registration: Registration
  readonly report: NodeReport
  /** Whether to create the Node if it does not exist. Otherwise waits for it. */
  readonly createsNode: boolean
}

/** Creates the Node or adopts the existing one. Retries until the signal aborts, then rejects. */
export async function registerNode(dependencies: NodeRegistrationDependencies, signal: AbortSignal): Promise<Node> {
  const { environment, registration } = dependencies
  const backoff = new Backoff(environment, retries)
  for (;;) {
    signal.throwIfAborted()
    try {
      return await registerOnce(dependencies, signal)
    } catch (error) {
      signal.throwIfAborted()
      environment.log.warn('node registration failed', { node: registration.nodeName, error })
      await sleep(environment.clock, backoff.next(), signal)
    }
  }
}

async function registerOnce(dependencies: NodeRegistrationDependencies, signal: AbortSignal): Promise<Node> {
  const { client, registration, report, createsNode: isMade } = dependencies
  const nodes = client.resource(Node)
  if (!isMade) return adoptNode(dependencies, signal)
  try {
    return await nodes.create(newNode(registration, await report.status({})), { signal, retries: 0 })
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error
    return adoptNode(dependencies, signal)
  }
}

async function adoptNode(
  { client, registration, report }: NodeRegistrationDependencies,
  signal: AbortSignal,
): Promise<Node> {
  const nodes = client.resource(Node)
  const found = await nodes.get(registration.nodeName, { signal, retries: 0 })
  const next = await report.next(withKubeletLabels(found, registration))
  if (!hasChanged(found, next)) return found
  const patch = nodePatch(found, next)
  return nodes.subresource('status').patch(registration.nodeName, 'strategic', patch, { signal, retries: 0 })
}
