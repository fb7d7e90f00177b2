import { get } from '../kubectl/get/get.js'
import { realCacheFiles } from '../kubectl/real-environment.js'
import { reportErrors, runResolvedCommand } from '../kubectl/run-command.js'
import { onThisMachine } from './kubectl-surroundings.js'

/**
 * `kubectl get …`, as src/bin/kubectl.ts would run it: what people type most often has a script of its own, of half the size, because half
 * of the time that it takes is that of loading it.
 */
export function kubectlCommand(args: readonly string[]): Promise<number> {
  const found = { path: 'kubectl get', command: get, rest: args.slice(1) }
  return onThisMachine((environment) => {
    const around = { environment, cache: realCacheFiles }
    return reportErrors(() => runResolvedCommand(found, args, around), environment)
  })
}
