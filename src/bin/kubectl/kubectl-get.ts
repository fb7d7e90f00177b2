import { get } from '../../kubectl/get/get.js'
import { realCacheFiles } from '../../kubectl/real-environment.js'
import { reportErrors, runResolvedCommand } from '../../kubectl/run-command.js'
import { withHostEnvironment } from './host-environment.js'

/** Runs `kubectl get …` as `kubectl.ts` does. It is a script of its own, of half the size, because half of its run time is the time to load it. */
export function runKubectlGet(args: readonly string[]): Promise<number> {
  const found = { path: 'kubectl get', command: get, rest: args.slice(1) }
  return withHostEnvironment((environment) => {
    const around = { environment, cache: realCacheFiles }
    return reportErrors(() => runResolvedCommand(found, args, around), environment)
  })
}
