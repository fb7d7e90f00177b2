import { kubectl } from '../../kubectl/main.js'
import { realCacheFiles } from '../../kubectl/real-environment.js'
import { withHostEnvironment } from './host-environment.js'

export { isKubectlCommand, kubectlCommandNames } from '../../kubectl/catalogue.js'

/** Runs `kubectl …` on this host. A script of its own, so that it loads no code of the servers. */
export function runKubectl(args: readonly string[]): Promise<number> {
  return withHostEnvironment((environment) => kubectl(args, environment, realCacheFiles))
}
