import { Buffer } from 'node:buffer'
import { type Clock, sleep } from '../../base/clock.js'
import { CriError } from '../cri-error.js'
import type { SimulatedExec } from './behaviour.js'
import type { SimulatedContainer } from './container.js'
import { matchesWildcard } from './scenario.js'

export interface ExecutionResult {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly exitCode: number
}

/** Returns what the behaviour defines for this command. The default is success without output. */
function execFor({ behaviour }: SimulatedContainer, command: readonly string[]): SimulatedExec {
  const words = command.join(' ')
  return behaviour.exec?.find(({ command: pattern = '*' }) => matchesWildcard(pattern, words)) ?? {}
}

export async function execute(
  container: SimulatedContainer,
  command: readonly string[],
  { clock, signal, limit = 0 }: { readonly clock: Clock; readonly signal: AbortSignal; readonly limit?: number },
): Promise<ExecutionResult> {
  if (!container.running) throw new CriError('Unknown', `container is in ${container.state} state`)
  const { stdout = '', stderr = '', exitCode = 0, takes = 0 } = execFor(container, command)
  if (limit > 0 && takes > limit) {
    await sleep(clock, limit, signal)
    const text = `failed to exec in container: timeout ${limit / 1000}s exceeded: context deadline exceeded`
    throw new CriError('DeadlineExceeded', text)
  }
  if (takes > 0) await sleep(clock, takes, signal)
  return { stdout: Buffer.from(stdout), stderr: Buffer.from(stderr), exitCode }
}
