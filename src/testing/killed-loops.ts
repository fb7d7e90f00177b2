import type { AnswerInProcess } from '../client/in-process.js'
import { inProcessTransports, startControllers } from '../controllers/manager.js'
import type { TestCluster } from './cluster.js'

export interface MortalLoops {
  /** As `--controllers` names them. */
  readonly controllers: readonly string[]
  /** After so many writes they are killed; never unless told. */
  readonly writes?: number
}

/** Runs loops beside the cluster for as long as `live` takes. */
export async function withLoops(
  { api, environment }: TestCluster,
  { controllers, writes = Number.POSITIVE_INFINITY }: MortalLoops,
  live: () => Promise<void>,
): Promise<void> {
  const loops = startControllers({ environment, ...inProcessTransports(cutAfter(writes, api.answer)), controllers })
  await loops.synced()
  await live()
  await loops.close()
}

/** A way to the server that is cut after so many writes: to the server it is all the same as if the loops had been killed. */
function cutAfter(writes: number, answer: AnswerInProcess): AnswerInProcess {
  let left = writes
  return async (request) => {
    const isWrite = request.method !== 'GET' && !request.path.includes('/events')
    if (isWrite && left-- <= 0) throw new Error('the loop was killed')
    return answer(request)
  }
}
