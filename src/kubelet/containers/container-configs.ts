import type { ContainerConfigs } from './container-config.js'
import type { ContainerConfigParts } from './container-config-parts.js'
import { containerDraft } from './container-draft.js'
import { ContainerError } from './container-error.js'
import { sandboxDraft } from './sandbox-draft.js'

/** What the runtime is asked for, made of what pods say, what the cluster has and what this machine can do. */
export function containerConfigs(parts: ContainerConfigParts): ContainerConfigs {
  return {
    sandbox: (pod, attempt) => sandboxDraft(pod, attempt, parts).catch(becoming('CreatePodSandboxError')),
    container: (request) => containerDraft(request, parts).catch(becoming('CreateContainerConfigError')),
  }
}

function becoming(reason: string): (error: Error) => never {
  return (error) => {
    throw error instanceof ContainerError ? error : new ContainerError(reason, error.message, { cause: error })
  }
}
