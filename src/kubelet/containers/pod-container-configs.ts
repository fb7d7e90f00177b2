import { buildContainerConfig } from './container-config.js'
import type { ContainerConfigDependencies } from './container-config-dependencies.js'
import type { ContainerConfigs } from './container-configs.js'
import { ContainerError } from './container-error.js'
import { buildSandboxConfig } from './sandbox-config.js'

/** Creates the configurations from pods, cluster objects and the properties of this host. */
export function containerConfigs(dependencies: ContainerConfigDependencies): ContainerConfigs {
  return {
    sandbox: (pod, attempt) => buildSandboxConfig(pod, attempt, dependencies).catch(becoming('CreatePodSandboxError')),
    container: (request) => buildContainerConfig(request, dependencies).catch(becoming('CreateContainerConfigError')),
  }
}

function becoming(reason: string): (error: Error) => never {
  return (error) => {
    throw error instanceof ContainerError ? error : new ContainerError(reason, error.message, { cause: error })
  }
}
