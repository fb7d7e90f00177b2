import { get } from '../kubectl/get.js'
import { realCacheFiles } from '../kubectl/real-files.js'
import { exitCodeOf, runFound } from '../kubectl/running.js'
import { onThisMachine } from './kubectl-surroundings.js'

/**
 * `kubectl get …`, as src/bin/kubectl.ts would run it: what people type most often has a script of its own, of half the size, because half
 * of the time that it takes is that of loading it.
 */
export function kubectlCommand(args: readonly string[]): Promise<number> {
  const found = { path: 'kubectl get', command: get, rest: args.slice(1) }
  return onThisMachine((surroundings) => {
    const around = { surroundings, cache: realCacheFiles }
    return exitCodeOf(() => runFound(found, args, around), surroundings)
  })
}
