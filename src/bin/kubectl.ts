import { kubectl } from '../kubectl/main.js'
import { realCacheFiles } from '../kubectl/real-environment.js'
import { onThisMachine } from './kubectl-surroundings.js'

export { isKubectlCommand, kubectlCommandNames } from '../kubectl/catalogue.js'

/** `kubectl …` on this machine. Kept apart from all other commands, so that it loads nothing that it does not need. */
export function kubectlCommand(args: readonly string[]): Promise<number> {
  return onThisMachine((environment) => kubectl(args, environment, realCacheFiles))
}
